import { EVENT_KINDS, type RecordedEvent } from '../../../../core/domain/event.ts';
import { isRefusal } from '../../../../core/domain/refusal.ts';
import { answer } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { addressWith } from '../../../../faces/pages/console/addresses.ts';
import { inConsole } from '../../../../faces/pages/console/change.ts';
import { downloadLinks } from '../../../../faces/pages/console/download-links.ts';
import { consolePage } from '../../../../faces/pages/console/layout.ts';
import { eventKindText } from '../../../../faces/pages/event-texts.ts';
import { type Html, html } from '../../../../faces/pages/html.ts';
import type { Reader } from '../../../../faces/pages/layout.ts';
import { page } from '../../../../faces/pages/page.ts';
import { choiceField, filterForm, lineField } from '../../../../faces/pages/parts/form.ts';
import { type PageOfList, pager, placeArguments, table } from '../../../../faces/pages/parts/list.ts';
import eventsStream from '../../operations/admin/events/stream.get.ts';
import eventsGet from '../../operations/admin/events.get.ts';
import { eventColumns } from './rows.ts';

const EVENTS = '/portal/console/events';
const LIMIT = '50';

const optional = (description: string) => Type.Optional(Type.String({ description }));

/** The filters of the page, as its address has them. Times are what `<input type="datetime-local">` gives, in UTC. */
const FILTERS = {
  user: optional('The name of a user.'),
  kind: optional('The kind of events.'),
  from: optional('A client address.'),
  since: optional('A time such as 2026-01-31T08:00, in UTC.'),
  until: optional('A time such as 2026-01-31T08:00, in UTC.'),
};

type Filters = { readonly [K in keyof typeof FILTERS]?: string };

/** A time of a form as the operation reads it: browsers leave out the zone, and seconds that are 0. */
function moment(text: string | undefined): string | undefined {
  if (!text) return undefined;
  const whole = /T\d\d:\d\d$/.test(text) ? `${text}:00` : text;
  return /T[\d:.]+$/.test(whole) ? `${whole}Z` : whole;
}

/** The time as its field takes it; undefined if the address holds none. */
function fieldValue(text: string | undefined): string | undefined {
  const at = Date.parse(moment(text) ?? '');
  return Number.isNaN(at) ? undefined : new Date(at).toISOString().slice(0, 19);
}

/** The arguments of the operations; an argument that is left out is no member. */
function queryOf({ since, until, ...others }: Filters & { readonly cursor?: string }) {
  const query = { ...others, since: moment(since), until: moment(until) };
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value)) as Record<string, string>;
}

function filters(reader: Reader, { user, kind, from, since, until }: Filters): Html {
  const { say } = reader;
  const kinds = EVENT_KINDS.map((value) => ({ value, text: eventKindText(say, value) }));
  const sorted = kinds.toSorted((one, other) => one.text.localeCompare(other.text, reader.language));
  const choices = [{ value: '', text: say('console.events.allKinds') }, ...sorted];
  const line = { isOptional: true } as const;
  const timeField = (name: string, label: string, localLabel: string, value: string | undefined) =>
    lineField(reader, {
      ...line,
      type: 'datetime-local',
      name,
      label,
      localLabel,
      value: fieldValue(value),
    });
  const fields = html`${lineField(reader, { ...line, name: 'user', label: say('console.events.user'), value: user })}
${choiceField({ name: 'kind', label: say('console.events.what'), choices, value: kind ?? '' })}
${lineField(reader, { ...line, name: 'from', label: say('console.events.from'), value: from })}
${timeField('since', say('console.events.since'), say('console.events.sinceLocal'), since)}
${timeField('until', say('console.events.until'), say('console.events.untilLocal'), until)}`;
  return filterForm(reader, { action: EVENTS, fields, results: 'results' });
}

/** The rows that passed the filters, and new ones while they happen if the page has `tail`. */
async function results(
  reader: Reader,
  rows: readonly RecordedEvent[],
  filters: Filters,
  { tail, ...place }: PageOfList & { readonly tail: string | undefined },
): Promise<Html> {
  const { say } = reader;
  return html`<div id="results">${table({
    caption: say('console.events'),
    columns: await eventColumns(reader, rows),
    rows,
    whenEmpty: say('console.events.none'),
    ...(tail !== undefined && { tail: { url: tail, say } }),
  })}
${pager(reader, EVENTS, filters, place)}${downloadLinks(reader, 'events', queryOf(filters))}</div>`;
}

/** The events, the latest first (specification, section 19). */
export default page({
  id: 'org/service/repository/portal/console/events.get',
  summary: 'Show the events.',
  method: 'GET',
  paths: ['/console/events'],
  role: 'auditor',
  input: { query: Type.Object({ ...FILTERS, ...placeArguments }) },
  async perform(context) {
    const { cursor, before, ...filter } = context.input.query;
    const { reader, run } = inConsole(context);
    // The stream begins before the list is read: an event in between appears twice rather than never.
    const isOpen = !cursor && !filter.until;
    const start = isOpen ? await run(eventsStream, { query: {} }) : undefined;
    if (start !== undefined && isRefusal(start)) return start;
    const listed = await run(eventsGet, {
      query: { ...queryOf({ ...filter, cursor: cursor ?? '' }), limit: LIMIT },
    });
    if (isRefusal(listed)) return listed;
    const { items, next } = listed.value;
    const { user, kind, from } = filter;
    const tail = start && addressWith(`${EVENTS}/stream`, { user, kind, from, cursor: start.goesOnAt });
    const list = await results(reader, items, filter, { cursor, before, next, tail });
    const { say } = reader;
    return answer(
      consolePage(reader, {
        title: say('console.events'),
        actions: html`<a class="button quiet" href="${addressWith(EVENTS, filter)}">${say('console.events.reload')}</a>`,
        current: EVENTS,
        usesHtmx: true,
        body: html`${filters(reader, filter)}${list}`,
      }),
    );
  },
});
