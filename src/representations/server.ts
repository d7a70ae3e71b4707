import type { ServerIdentity } from '../domain/server-identity.ts';
import { Type } from '../schema.ts';
import type { Representation } from './representation.ts';

/** What the service says of itself (`wire.md` section 9): clients read `version` and `schema` to learn what they may ask for. */
export const serverShown = {
  schema: Type.Object({
    data: Type.Object({ edition: Type.String(), version: Type.String(), schema: Type.String() }),
  }),
  json: ({ edition, version, schema }) => ({ data: { edition, version, schema } }),
} satisfies Representation<ServerIdentity>;
