import { refuse } from '../../../../core/domain/refusal.ts';
import { adminOperation, answer } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { applicationShown } from '../../representations/application.ts';

/** Specification, section 16: show an application. */
export default adminOperation({
  id: 'org/service/repository/admin/application.get',
  summary: 'Show an application that people sign in to, without its secret.',
  method: 'GET',
  paths: ['/api/admin/applications/{name}'],
  role: 'operator',
  revalidated: true,
  input: {
    path: Type.Object({
      name: Type.String({
        description: 'Its client_id: a name, or the https address of a document that says what it is.',
        examples: ['grafana'],
      }),
    }),
  },
  output: applicationShown,
  refusals: ['application_not_found'],
  async perform({ input, store }) {
    const application = await store.applications.find(input.path.name);
    return application === undefined ? refuse('application_not_found') : answer(application);
  },
});
