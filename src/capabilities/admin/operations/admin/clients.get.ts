import { adminOperation } from '../../../../core/operation.ts';
import { pageArguments, pageShown, pagesByName } from '../../../../core/representations/admin/page.ts';
import { Type } from '../../../../core/schema.ts';
import { clientJson, clientShown } from '../../representations/client.ts';

const pageOf = pagesByName('clients');

/** Specification, section 16: list the clients that may ask about tickets. */
export default adminOperation({
  id: 'org/service/repository/admin/clients.get',
  summary: 'List the registered clients by name, without their secrets.',
  method: 'GET',
  paths: ['/api/admin/clients'],
  role: 'operator',
  input: { query: Type.Object(pageArguments) },
  output: pageShown(clientShown.schema, clientJson),
  refusals: ['argument_invalid', 'cursor_invalid'],
  perform: async ({ input: { query }, store }) => pageOf(await store.clients.list(), query),
});
