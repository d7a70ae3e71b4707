import { answer, operation } from '../operation.ts';
import { serverShown } from '../representations/server.ts';

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
