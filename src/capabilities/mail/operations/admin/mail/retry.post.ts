import { adminOperation, changed } from '../../../../../core/operation.ts';
import type { Representation } from '../../../../../core/representations/representation.ts';
import { Type } from '../../../../../core/schema.ts';
import { MAIL_RECEIVER } from '../../../tables/receiver.ts';

const countShown = {
  schema: Type.Object({ count: Type.Integer({ description: 'How many mails are sent now.' }) }),
  json: (count) => ({ count }),
} satisfies Representation<number>;

export default adminOperation({
  id: 'org/service/repository/admin/mail/retry.post',
  summary: 'Send the mails now that wait or were given up.',
  method: 'POST',
  paths: ['/api/admin/mail/retry'],
  role: 'administrator',
  input: {},
  output: countShown,
  refusals: [],
  async perform({ store, now }) {
    const count = await store.webhooks.retry(MAIL_RECEIVER, 'all', now);
    return changed(count, [{ kind: 'mail-retried', reason: String(count) }]);
  },
});
