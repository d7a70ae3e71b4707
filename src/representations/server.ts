import { Type } from '../schema.ts';
import type { Representation } from './representation.ts';

/** What this release calls itself: clients read `version` and `schema` to learn what they may ask for. */
export const SERVER = { edition: 'Tessera', version: '3.2.0 (2039)', schema: '2039' } as const;

/** The server's signature in every status document. */
export const SIGNATURE = `${SERVER.edition} v${SERVER.version}`;

/** What the service says of itself (`wire.md` section 9). */
export const serverShown = {
  schema: Type.Object({
    data: Type.Object({ edition: Type.String(), version: Type.String(), schema: Type.String() }),
  }),
  json: (server) => ({ data: server }),
} satisfies Representation<typeof SERVER>;
