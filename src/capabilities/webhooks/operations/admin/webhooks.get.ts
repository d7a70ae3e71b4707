import { isoTime } from '../../../../core/domain/iso-time.ts';
import { adminOperation, answer } from '../../../../core/operation.ts';
import { optionalTime } from '../../../../core/representations/admin/times.ts';
import type { Representation } from '../../../../core/representations/representation.ts';
import { Type } from '../../../../core/schema.ts';

/** A receiver of webhooks, and how far it is behind. Times are epoch milliseconds. */
interface ShownReceiver {
  readonly id: string;
  readonly kinds: readonly string[];
  readonly goneAt: number | undefined;
  readonly lastFault: { readonly at: number; readonly why: string } | undefined;
  readonly waiting: number;
  readonly oldestAt: number | undefined;
  readonly dead: number;
}

const receiversShown = {
  schema: Type.Object({
    items: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          kinds: Type.Array(Type.String(), { description: 'The kinds of events that it gets; none: all.' }),
          goneAt: optionalTime('When it answered 410: it gets no events since then.'),
          lastFault: Type.Optional(Type.String({ description: 'Why it did not take an event lately.' })),
          lastFaultAt: optionalTime('When that was.'),
          waiting: Type.Integer({ description: 'Deliveries that wait.' }),
          oldestAt: optionalTime('When the oldest event happened that waits.'),
          dead: Type.Integer({ description: 'Deliveries that were given up.' }),
        },
        { title: 'Receiver' },
      ),
    ),
  }),
  json: (receivers) => ({
    items: receivers.map(({ id, kinds, goneAt, lastFault, waiting, oldestAt, dead }) => ({
      id,
      kinds,
      goneAt: isoTime(goneAt),
      lastFault: lastFault?.why,
      lastFaultAt: isoTime(lastFault?.at),
      waiting,
      oldestAt: isoTime(oldestAt),
      dead,
    })),
  }),
} satisfies Representation<readonly ShownReceiver[]>;

/** The receivers of webhooks. Their addresses and secrets stand in a document, which is not shown. */
export default adminOperation({
  id: 'org/service/repository/admin/webhooks.get',
  summary: 'List the receivers of webhooks: what waits for each, what was given up, and the last fault.',
  method: 'GET',
  paths: ['/api/admin/webhooks'],
  role: 'operator',
  input: {},
  output: receiversShown,
  refusals: [],
  perform: async ({ store }) => answer(await store.webhooks.list()),
});
