import { isRefusal } from '../../../../core/domain/refusal.ts';
import { adminOperation, changed } from '../../../../core/operation.ts';
import { applicationSettings } from '../../application.ts';
import { changedApplicationShown } from '../../representations/application.ts';
import { bringApplication } from '../../rules/bring-application.ts';
import applicationGet from './application.get.ts';

/** Specification, section 16: add an application, or change its settings. */
export default adminOperation({
  id: 'org/service/repository/admin/application.put',
  summary:
    'Add an application, or give it these settings in place of those it has. A registered client becomes one and keeps its secret. If the call makes a secret, it is in this answer, and in no other.',
  method: 'PUT',
  paths: ['/api/admin/applications/{name}'],
  role: 'administrator',
  ifMatch: applicationGet,
  input: { path: applicationGet.input.path, body: applicationSettings },
  output: changedApplicationShown,
  refusals: ['body_unreadable', 'body_invalid'],
  async perform({ input: { path, body }, store, now, newClientSecret }) {
    const { secret, digest } = newClientSecret();
    const desired = { name: path.name, settings: body, newSecretDigest: digest };
    const outcome = await bringApplication(store, desired, now);
    if (isRefusal(outcome)) return outcome;
    const { application, events } = outcome;
    const isNew = application.secretDigest === digest;
    return changed({ ...application, secret: isNew ? secret : undefined }, events);
  },
});
