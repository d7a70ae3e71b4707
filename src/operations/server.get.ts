import type { ServerIdentity } from '../domain/server-identity.ts';
import { answer, operation } from '../operation.ts';
import type { Representation } from '../representations/representation.ts';
import { Type } from '../schema.ts';

/** What the service says of itself (`wire.md` section 9): clients read `version` and `schema` to learn what they may ask for. */
const serverShown = {
  schema: Type.Object({
    data: Type.Object({ edition: Type.String(), version: Type.String(), schema: Type.String() }),
  }),
  json: ({ edition, version, schema }) => ({ data: { edition, version, schema } }),
} satisfies Representation<ServerIdentity>;

/** `wire.md` section 9: what the service says of itself. */
export default operation({
  id: 'org/service/repository/server.get',
  summary: 'Tell the edition, version and schema of this server.',
  lifecycle: 'public_api',
  family: 'Server',
  method: 'GET',
  paths: ['/api/server'],
  authentication: 'none',
  transaction: 'none',
  access: 'none',
  formatStyle: 'any',
  defaultFormat: 'json',
  input: {},
  output: serverShown,
  refusals: [],
  perform: async ({ identity }) => answer(identity),
});
