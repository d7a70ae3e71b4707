import { type EventKind, isEventKind } from '../../../../../core/domain/event.ts';
import { refuse } from '../../../../../core/domain/refusal.ts';
import { adminOperation, answer } from '../../../../../core/operation.ts';
import { oneOf } from '../../../../../core/representations/admin/one-of.ts';
import type { Representation } from '../../../../../core/representations/representation.ts';
import { Type } from '../../../../../core/schema.ts';
import { unknownKind } from '../events.get.ts';

const HOUR = 3_600_000;
const STEPS = { hour: HOUR, day: 24 * HOUR } as const;
type CountStep = keyof typeof STEPS;

/** How many spans are counted if the caller does not say, and at most: the work grows with the events in them. */
const SPANS = { hour: { usual: 24, most: 168 }, day: { usual: 7, most: 31 } } as const;
const MOST_KINDS = 5;

/** How many times events of some kinds happened in spans of time. */
interface EventCounts {
  readonly step: CountStep;
  /** The begins of the spans, in epoch milliseconds. */
  readonly times: readonly number[];
  readonly kinds: readonly { readonly kind: EventKind; readonly counts: readonly number[] }[];
}

const countsShown = {
  schema: Type.Object(
    {
      step: oneOf(['hour', 'day']),
      times: Type.Array(Type.String({ format: 'date-time' }), {
        description: 'When each hour or day begins, in UTC. The last one goes on.',
      }),
      items: Type.Array(
        Type.Object({
          kind: Type.String(),
          counts: Type.Array(Type.Integer(), {
            description: 'How many times it happened in each of them, in the order of the times.',
          }),
        }),
      ),
    },
    { title: 'Counts of events' },
  ),
  json: ({ step, times, kinds }) => ({
    step,
    times: times.map((at) => new Date(at).toISOString()),
    items: kinds,
  }),
} satisfies Representation<EventCounts>;

const step = Type.Optional(
  Type.String({
    pattern: '^(hour|day)?$',
    description: 'hour or day. Left out: hour',
    examples: ['day'],
  }),
);

/** Specification, section 19: how often something happened, hour by hour or day by day. */
export default adminOperation({
  id: 'org/service/repository/admin/events/counts.get',
  summary: 'Count the events of some kinds, hour by hour or day by day, up to now.',
  method: 'GET',
  paths: ['/api/admin/events/counts'],
  role: 'auditor',
  input: {
    query: Type.Object({
      kinds: Type.Optional(
        Type.String({
          description: `at most ${MOST_KINDS} kinds of events with commas between. Left out: login,login-refused`,
          examples: ['login'],
        }),
      ),
      step,
      number: Type.Optional(
        Type.String({
          pattern: '^([1-9][0-9]{0,2})?$',
          description: `how many: at most ${SPANS.hour.most} hours or ${SPANS.day.most} days. Left out: 24 hours, or 7 days`,
          examples: ['7'],
        }),
      ),
    }),
  },
  output: countsShown,
  refusals: ['argument_invalid'],
  async perform({ input: { query }, store, now }) {
    const step: CountStep = query.step === 'day' ? 'day' : 'hour';
    const { usual, most } = SPANS[step];
    const number = query.number ? Number(query.number) : usual;
    if (number > most) return refuse('argument_invalid', { detail: `number (at most ${most} of them)` });
    const named = (query.kinds || 'login,login-refused').split(',');
    if (named.length > MOST_KINDS)
      return refuse('argument_invalid', { detail: `kinds (at most ${MOST_KINDS})` });
    const length = STEPS[step];
    const since = (Math.floor(now / length) + 1 - number) * length;
    const kinds: { kind: EventKind; counts: readonly number[] }[] = [];
    for (const kind of named) {
      if (!isEventKind(kind)) return unknownKind(kind);
      kinds.push({ kind, counts: await store.events.counts(kind, { since, step: length, number }) });
    }
    return answer({ step, times: Array.from({ length: number }, (_, at) => since + at * length), kinds });
  },
});
