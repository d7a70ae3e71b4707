import type { ServerIdentity } from '../domain/server-identity.ts';
import { answer, operation } from '../operation.ts';
import type { Representation } from '../representations/representation.ts';
import { Type } from '../schema.ts';

/**
 * The identity of the service (specification, section 9). Clients read `version` and `schema` to learn which features they
 * may use.
 */
const serverShown = {
  schema: Type.Object({
    data: Type.Object({ edition: Type.String(), version: Type.String(), schema: Type.String() }),
  }),
  json: ({ edition, version, schema }) => ({ data: { edition, version, schema } }),
} satisfies Representation<ServerIdentity>;

/** Specification, section 9: edition, version and schema of the service. */
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
