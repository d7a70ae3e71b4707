import { cursorsOf } from '../../../../../core/domain/cursor.ts';
import { isEventKind, type RecordedEvent } from '../../../../../core/domain/event.ts';
import { isRefusal } from '../../../../../core/domain/refusal.ts';
import { adminOperation, answer } from '../../../../../core/operation.ts';
import type { Representation } from '../../../../../core/representations/representation.ts';
import { Type } from '../../../../../core/schema.ts';
import { eventJson, eventShown } from '../../../representations/event.ts';
import { unknownKind } from '../events.get.ts';

const CURSORS = cursorsOf('events/stream', 'number');

/** The most events that are read at a time. */
const MOST = 500;

const streamShown = {
  schema: eventShown.schema,
  stream: (events) =>
    events.map((event) => ({ id: CURSORS.after([event.id]), event: event.kind, data: eventJson(event) })),
} satisfies Representation<readonly RecordedEvent[]>;

/** Specification, section 16: the events as they happen. */
export default adminOperation({
  id: 'org/service/repository/admin/events/stream.get',
  summary: 'Get the events as they happen, as server-sent events.',
  method: 'GET',
  paths: ['/api/admin/events/stream'],
  role: 'auditor',
  defaultFormat: 'stream',
  streams: true,
  input: {
    query: Type.Object({
      kind: Type.Optional(Type.String({ description: 'The kind of events that are wanted.' })),
      user: Type.Optional(Type.String({ description: 'The user whose events are wanted.' })),
      from: Type.Optional(
        Type.String({ description: 'The address whose events are wanted, as events show it.' }),
      ),
      cursor: Type.Optional(
        Type.String({
          description:
            'The id of the last message that the caller has; `Last-Event-ID` says the same. Left out: from now on.',
        }),
      ),
    }),
  },
  output: streamShown,
  refusals: ['argument_invalid', 'cursor_invalid'],
  async perform({ input: { query }, store, keyOf }) {
    const after = CURSORS.read(query.cursor);
    if (isRefusal(after)) return after;
    if (query.kind && !isEventKind(query.kind)) return unknownKind(query.kind);
    const [last] = after ?? [];
    if (last === undefined) {
      const [newest] = await store.events.appended(undefined, 1);
      return answer([], { goesOnAt: CURSORS.after([newest?.id ?? 0]) });
    }
    const events = await store.events.appended(last, MOST);
    const matching = events.filter(
      ({ kind, user = '', from }) =>
        (!query.kind || kind === query.kind) &&
        (!query.user || keyOf(user) === keyOf(query.user)) &&
        (!query.from || from === query.from),
    );
    return answer(matching, { goesOnAt: CURSORS.after([events.at(-1)?.id ?? last]) });
  },
});
