import { refuse } from '../../../../../core/domain/refusal.ts';
import { adminOperation, changed } from '../../../../../core/operation.ts';
import { oneOf } from '../../../../../core/representations/admin/one-of.ts';
import type { Representation } from '../../../../../core/representations/representation.ts';
import { Type } from '../../../../../core/schema.ts';

const countShown = {
  schema: Type.Object({ count: Type.Integer({ description: 'How many events are delivered now.' }) }),
  json: (count) => ({ count }),
} satisfies Representation<number>;

/** Makes the deliveries of a receiver now, and resumes a receiver that had answered 410. */
export default adminOperation({
  id: 'org/service/repository/admin/webhooks/replay.post',
  summary: 'Make the waiting and dead deliveries of a receiver now. One that answered 410 gets events again.',
  method: 'POST',
  paths: ['/api/admin/webhooks/{id}/replay'],
  role: 'administrator',
  input: {
    path: Type.Object({ id: Type.String({ description: 'The id of the receiver.', examples: ['siem'] }) }),
    body: Type.Object(
      {
        which: Type.Optional(
          oneOf(['all', 'dead'], {
            refusal: 'body_invalid',
            description: 'All deliveries, or only those that were given up. Left out: all.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
  },
  output: countShown,
  refusals: ['body_unreadable', 'body_invalid', 'receiver_not_found'],
  async perform({ input: { path, body }, store: { webhooks }, now }) {
    const { id } = path;
    if (!(await webhooks.list()).some((each) => each.id === id)) return refuse('receiver_not_found');
    await webhooks.resume(id);
    const count = await webhooks.retry(id, body.which ?? 'all', now);
    const reason = `${id} ${count}`;
    return changed(count, [{ kind: 'webhooks-retried', reason }]);
  },
});
