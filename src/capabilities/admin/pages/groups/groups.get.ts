import type { Group } from '../../../../core/domain/group.ts';
import { isRefusal } from '../../../../core/domain/refusal.ts';
import { answer } from '../../../../core/operation.ts';
import type { Total } from '../../../../core/representations/admin/page.ts';
import { Type } from '../../../../core/schema.ts';
import { groupAddress } from '../../../../faces/pages/console/addresses.ts';
import { inConsole } from '../../../../faces/pages/console/change.ts';
import { downloadLinks } from '../../../../faces/pages/console/download-links.ts';
import { consolePage, doneArgument, doneNotice } from '../../../../faces/pages/console/layout.ts';
import { isAdministrator } from '../../../../faces/pages/console/parts.ts';
import { type Html, html } from '../../../../faces/pages/html.ts';
import type { Reader } from '../../../../faces/pages/layout.ts';
import { page } from '../../../../faces/pages/page.ts';
import { filterForm, lineField } from '../../../../faces/pages/parts/form.ts';
import { icon } from '../../../../faces/pages/parts/icons.ts';
import { pager, placeArguments, table, totalRows } from '../../../../faces/pages/parts/list.ts';
import groupsGet from '../../../people/operations/admin/groups/groups.get.ts';

const GROUPS = '/portal/console/groups';
/** The rows of a page. */
const LIMIT = '50';

/** The list of groups, and what was asked for. */
interface ListOfGroups {
  readonly items: readonly Group[];
  readonly next: string | undefined;
  readonly total: Total | undefined;
  readonly find: string;
  readonly cursor: string | undefined;
  readonly before: string | undefined;
}

function results(reader: Reader, { items, total, find, ...place }: ListOfGroups): Html {
  const { say } = reader;
  const columns = [
    {
      heading: say('console.groups.name'),
      cell: ({ name }: Group) => html`<a href="${groupAddress(name)}">${name}</a>`,
    },
    { heading: say('console.groups.displayName'), cell: ({ displayName }: Group) => displayName },
    { heading: say('console.groups.role'), cell: ({ role }: Group) => role && say(`role.${role}`) },
  ];
  const whenEmpty = say(find === '' ? 'console.groups.none' : 'console.groups.noneFound');
  return html`<div id="results">${totalRows(reader, total)}${table({ caption: say('console.groups'), columns, rows: items, whenEmpty })}
${pager(reader, GROUPS, { find }, place)}
${items.length > 0 && downloadLinks(reader, 'groups', { search: find })}</div>`;
}

/** Lists and searches the groups (specification, section 19). */
export default page({
  id: 'org/service/repository/portal/console/groups/groups.get',
  summary: 'List the groups.',
  method: 'GET',
  paths: ['/console/groups'],
  role: 'operator',
  input: {
    query: Type.Object({
      ...doneArgument,
      find: Type.Optional(
        Type.String({ description: 'A part of the name or of the title.', maxLength: 1_024 }),
      ),
      ...placeArguments,
    }),
  },
  async perform(context) {
    const { reader, run } = inConsole(context);
    const { find: search = '', cursor, before, done } = context.input.query;
    const find = search.trim();
    const listed = await run(groupsGet, {
      query: { search: find, cursor: cursor ?? '', limit: LIMIT, total: 'true' },
    });
    if (isRefusal(listed)) return listed;
    const { say } = reader;
    const fields = lineField(reader, {
      name: 'find',
      type: 'search',
      label: say('console.groups.find'),
      value: find,
      isOptional: true,
    });
    const add = html`<a class="button" href="/portal/console/add-group">${icon('add')}${say('console.groups.add')}</a>`;
    return answer(
      consolePage(reader, {
        title: say('console.groups'),
        current: GROUPS,
        usesHtmx: true,
        actions: isAdministrator(reader) && add,
        done: doneNotice(reader, done, { removed: 'console.groups.done.removed' }),
        body: html`${filterForm(reader, { action: GROUPS, fields, results: 'results' })}
${results(reader, { ...listed.value, find, cursor, before })}`,
      }),
    );
  },
});
