import { ADMIN } from '../../../../core/api.ts';
import { refuse } from '../../../../core/domain/refusal.ts';
import { answer, operation } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { clientShown } from '../../representations/client.ts';

/** Specification, section 16: show a client. */
export default operation({
  id: 'org/service/repository/admin/client.get',
  summary: 'Show a registered client, without its secret.',
  lifecycle: 'public_api',
  family: 'Administration',
  api: ADMIN,
  method: 'GET',
  paths: ['/api/admin/clients/{name}'],
  authentication: 'admin',
  role: 'operator',
  transaction: 'required',
  access: 'read',
  formatStyle: 'argument',
  defaultFormat: 'json',
  revalidated: true,
  input: {
    path: Type.Object({ name: Type.String({ description: 'Its client_id.', examples: ['portal'] }) }),
  },
  output: clientShown,
  refusals: ['client_not_found'],
  async perform({ input, store }) {
    const client = await store.clients.find(input.path.name);
    return client === undefined ? refuse('client_not_found') : answer(client);
  },
});
