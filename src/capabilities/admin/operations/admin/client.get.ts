import { refuse } from '../../../../core/domain/refusal.ts';
import { adminOperation, answer } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { clientShown } from '../../representations/client.ts';

/** Specification, section 16: show a client. */
export default adminOperation({
  id: 'org/service/repository/admin/client.get',
  summary: 'Show a registered client, without its secret.',
  method: 'GET',
  paths: ['/api/admin/clients/{name}'],
  role: 'operator',
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
