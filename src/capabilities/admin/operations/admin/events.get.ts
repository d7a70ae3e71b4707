import { cursorPage, cursorsOf } from '../../../../core/domain/cursor.ts';
import { isEventKind, type RecordedEvent } from '../../../../core/domain/event.ts';
import { isRefusal, refuse } from '../../../../core/domain/refusal.ts';
import { adminOperation, answer } from '../../../../core/operation.ts';
import { limitIn, pageArguments, pageShown } from '../../../../core/representations/admin/page.ts';
import { timeArgument } from '../../../../core/representations/admin/times.ts';
import { Type } from '../../../../core/schema.ts';
import { eventJson, eventShown } from '../../representations/event.ts';

const LATEST_FIRST = cursorsOf('events', 'number', 'number');
const OLDEST_FIRST = cursorsOf('events, oldest first', 'number', 'number');
const AS_RECORDED = cursorsOf('events, as recorded', 'number');

const placeOf = ({ at, id }: RecordedEvent) => [at, id] as const;
const optional = (description: string) => Type.Optional(Type.String({ description }));
const at = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));

/** Refuses an unknown kind of events. */
export const unknownKind = (kind: string) =>
  refuse('argument_invalid', { detail: `kind (${kind} is none: the reference lists all)` });

/** Specification, section 16: list the events. */
export default adminOperation({
  id: 'org/service/repository/admin/events.get',
  summary: 'List the events, the latest first: who did what, when and from where.',
  method: 'GET',
  paths: ['/api/admin/events'],
  role: 'auditor',
  input: {
    query: Type.Object({
      user: optional('only events about this user; a name that nobody has is masked in events'),
      kind: optional('only events of this kind, such as login-refused'),
      from: optional('only events from this address, as events show it: an IPv4 address or an IPv6 /64'),
      since: timeArgument('a date and time such as 2026-01-31T08:00:00Z: only events from then on'),
      until: timeArgument('a date and time such as 2026-01-31T08:00:00Z: only events from before then'),
      order: Type.Optional(
        Type.String({
          pattern: '^(oldest-first|as-recorded)?$',
          description:
            'oldest-first: in the order of time; kind, from and until then only thin out the pages. as-recorded: in an order in which no event follows later, always with a next, for programs that want every event; all filters thin out the pages. Left out: the latest first',
        }),
      ),
      ...pageArguments,
    }),
  },
  output: pageShown(eventShown.schema, eventJson),
  refusals: ['argument_invalid', 'cursor_invalid'],
  async perform({ input: { query }, store, keyOf }) {
    const { user, kind: named, from, order, cursor } = query;
    const kind = named || undefined;
    if (kind !== undefined && !isEventKind(kind)) return unknownKind(kind);
    const times = { since: at(query.since), until: at(query.until) };
    const filter = { user: user || undefined, kind, from: from || undefined, ...times };
    // The store finds all spellings of a name, which are one user only if the settings say so.
    const isWanted = (event: RecordedEvent) =>
      (!user || keyOf(event.user ?? '') === keyOf(user)) && passes(event, filter);
    if (order === 'as-recorded') return asRecorded(store.events.appended, cursor, limitIn(query), isWanted);
    const cursors = order ? OLDEST_FIRST : LATEST_FIRST;
    const place = cursors.read(cursor);
    if (isRefusal(place)) return place;
    const last = place && { at: place[0], id: place[1] };
    const limit = limitIn(query);
    const rows = order
      ? await store.events.list({ ...filterOf(filter), ...(last && { after: last }), limit: limit + 1 })
      : await store.events.latest({ ...filter, before: last, limit: limit + 1 });
    const { items, next } = cursorPage(rows, limit, cursors, placeOf);
    // In the order of time no later event passes the filter after the first one that is too late.
    const isOver = order && (rows.at(-1)?.at ?? 0) >= (times.until ?? Number.POSITIVE_INFINITY);
    return answer({ items: items.filter(isWanted), next: isOver ? undefined : next });
  },
});

/** A page in the order of ids. Its `next` is there even if nothing follows yet. */
async function asRecorded(
  appended: (after: number, limit: number) => Promise<readonly RecordedEvent[]>,
  cursor: string | undefined,
  limit: number,
  isWanted: (event: RecordedEvent) => boolean,
) {
  const place = AS_RECORDED.read(cursor);
  if (isRefusal(place)) return place;
  const [after = 0] = place ?? [];
  const rows = await appended(after, limit);
  return answer({ items: rows.filter(isWanted), next: AS_RECORDED.after([rows.at(-1)?.id ?? after]) });
}

interface Filter {
  readonly user: string | undefined;
  readonly kind: string | undefined;
  readonly from: string | undefined;
  readonly since: number | undefined;
  readonly until: number | undefined;
}

/** The part of the filter that a listing in the order of time takes. */
function filterOf({ user, since }: Filter): { readonly user?: string; readonly since?: number } {
  return { ...(user !== undefined && { user }), ...(since !== undefined && { since }) };
}

/** Whether the event passes the rest of the filter. */
function passes(event: RecordedEvent, { kind, from, since, until }: Filter): boolean {
  return (
    (since === undefined || event.at >= since) &&
    (kind === undefined || event.kind === kind) &&
    (from === undefined || event.from === from) &&
    (until === undefined || event.at < until)
  );
}
