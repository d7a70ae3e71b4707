import { isoTime } from '../../../../core/domain/iso-time.ts';
import { adminOperation, answer } from '../../../../core/operation.ts';
import { optionalTime } from '../../../../core/representations/admin/times.ts';
import type { Representation } from '../../../../core/representations/representation.ts';
import { Type } from '../../../../core/schema.ts';
import type { WebhookState } from '../../tables/webhooks.ts';

/** How far a receiver is behind. */
export const outboxMembers = {
  waiting: Type.Integer({ description: 'Deliveries that wait.' }),
  oldestAt: optionalTime('When the oldest event happened that waits.'),
  dead: Type.Integer({ description: 'Deliveries that were given up.' }),
  deliveredAt: optionalTime('When a delivery was last made, at most a minute too early.'),
  lastFault: Type.Optional(Type.String({ description: 'Why a delivery was not made lately.' })),
  lastFaultAt: optionalTime('When it was not made.'),
};

/** The JSON of these members; without a receiver nothing waits. JSON leaves out members that are undefined. */
export const outboxJson = (state: WebhookState | undefined) => ({
  waiting: state?.waiting ?? 0,
  oldestAt: isoTime(state?.oldestAt),
  dead: state?.dead ?? 0,
  deliveredAt: isoTime(state?.deliveredAt),
  lastFault: state?.lastFault?.why,
  lastFaultAt: isoTime(state?.lastFault?.at),
});

const receiversShown = {
  schema: Type.Object({
    items: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          kinds: Type.Array(Type.String(), { description: 'The kinds of events that it gets; none: all.' }),
          goneAt: optionalTime('When it answered 410: it gets no events since then.'),
          ...outboxMembers,
        },
        { title: 'Receiver' },
      ),
    ),
  }),
  json: (receivers) => ({
    items: receivers.map((receiver) => ({
      id: receiver.id,
      kinds: [...receiver.kinds],
      goneAt: isoTime(receiver.goneAt),
      ...outboxJson(receiver),
    })),
  }),
} satisfies Representation<readonly WebhookState[]>;

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
