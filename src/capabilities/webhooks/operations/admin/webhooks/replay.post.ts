import { cursorPage, cursorsOf } from '../../../../../core/domain/cursor.ts';
import { isoTime } from '../../../../../core/domain/iso-time.ts';
import { isRefusal, refuse } from '../../../../../core/domain/refusal.ts';
import { adminOperation, changed } from '../../../../../core/operation.ts';
import { oneOf } from '../../../../../core/representations/admin/one-of.ts';
import { optionalTime, timeArgument } from '../../../../../core/representations/admin/times.ts';
import type { Representation } from '../../../../../core/representations/representation.ts';
import { Type } from '../../../../../core/schema.ts';

const CURSORS = cursorsOf('replayed events', 'number', 'number');
/** The most events that one call adds again. */
const PAGE = 500;

interface Replayed {
  readonly count: number;
  readonly goneAt: number | undefined;
  readonly next?: string | undefined;
}

const replayShown = {
  schema: Type.Object({
    count: Type.Integer({ description: 'How many events are delivered now.' }),
    goneAt: optionalTime('When it answered 410, if it did: it gets events again from now on.'),
    next: Type.Optional(
      Type.String({ description: 'Send it as `cursor`, with the same body, to add the events that follow.' }),
    ),
  }),
  json: ({ count, goneAt, next }) => ({ count, goneAt: isoTime(goneAt), next }),
} satisfies Representation<Replayed>;

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
        since: timeArgument(
          'Adds every event from then on, delivered or not: so many in a call, see `next`.',
        ),
        cursor: Type.Optional(Type.String({ description: 'The `next` of the call before.' })),
      },
      { additionalProperties: false },
    ),
  },
  output: replayShown,
  refusals: ['body_unreadable', 'body_invalid', 'cursor_invalid', 'receiver_not_found'],
  async perform({ input: { path, body }, store: { webhooks, events }, now }) {
    const { id } = path;
    const { which = 'all', since, cursor } = body;
    const receiver = (await webhooks.list()).find((each) => each.id === id);
    if (receiver === undefined) return refuse('receiver_not_found');
    const place = CURSORS.read(cursor);
    if (isRefusal(place)) return place;
    await webhooks.resume(id);
    const outcome = (count: number, next?: string) => {
      const reason = `${id} ${count}`;
      return changed({ count, goneAt: receiver.goneAt, next }, [{ kind: 'webhooks-retried', reason }]);
    };
    const again = place ? 0 : await webhooks.retry(id, which, now);
    if (since === undefined) return outcome(again);
    const after = place && { at: place[0], id: place[1] };
    const rows = await events.list({ since: Date.parse(since), ...(after && { after }), limit: PAGE + 1 });
    const page = cursorPage(rows, PAGE, CURSORS, (event) => [event.at, event.id] as const);
    const { kinds } = receiver;
    const matching = page.items.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind));
    await webhooks.enqueue(id, matching, now);
    return outcome(matching.length, page.next);
  },
});
