import { adminOperation } from '../../../../core/operation.ts';
import { pageArguments, pageShown, pagesByName } from '../../../../core/representations/admin/page.ts';
import { Type } from '../../../../core/schema.ts';
import { applicationJson, applicationShown } from '../../representations/application.ts';

const pageOf = pagesByName('applications');

/** Specification, section 16: list the applications that people sign in to. */
export default adminOperation({
  id: 'org/service/repository/admin/applications.get',
  summary: 'List the applications that people sign in to, by name.',
  method: 'GET',
  paths: ['/api/admin/applications'],
  role: 'operator',
  input: { query: Type.Object(pageArguments) },
  output: pageShown(applicationShown.schema, applicationJson),
  refusals: ['argument_invalid', 'cursor_invalid'],
  perform: async ({ input: { query }, store }) => pageOf(await store.applications.list(), query),
});
