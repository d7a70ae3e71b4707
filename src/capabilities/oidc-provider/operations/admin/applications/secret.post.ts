import { refuse } from '../../../../../core/domain/refusal.ts';
import { adminOperation, changed } from '../../../../../core/operation.ts';
import { needsSecret } from '../../../faults.ts';
import { changedApplicationShown } from '../../../representations/application.ts';
import applicationGet from '../application.get.ts';

/** Specification, section 16: give an application another secret. */
export default adminOperation({
  id: 'org/service/repository/admin/applications/secret.post',
  summary:
    'Give an application another secret. It is in this answer, and in no other; the one before is refused from the next request on.',
  method: 'POST',
  paths: ['/api/admin/applications/{name}/secret'],
  role: 'administrator',
  input: applicationGet.input,
  answers: 201,
  output: changedApplicationShown,
  refusals: ['application_not_found', 'secret_impossible'],
  async perform({ input: { path }, store, newClientSecret }) {
    const application = await store.applications.find(path.name);
    if (application === undefined) return refuse('application_not_found');
    if (!needsSecret(application)) return refuse('secret_impossible');
    const { secret, digest } = newClientSecret();
    await store.clients.setSecret(path.name, digest);
    const reason = `${path.name}: secret`;
    return changed({ ...application, secretDigest: digest, secret }, [
      { kind: 'application-changed', reason },
    ]);
  },
});
