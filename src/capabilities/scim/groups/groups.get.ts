import { isRefusal } from '../../../core/domain/refusal.ts';
import { answer, operation } from '../../../core/operation.ts';
import { Type } from '../../../core/schema.ts';
import { SCIM_CALL } from '../call.ts';
import { readFilter } from '../filter.ts';
import { pageArguments, pageIn } from '../paging.ts';
import { isSelected, pageShown, selectionIn, shownArguments } from '../shown.ts';
import { groupsPassing } from './find.ts';
import { groupRecords, groupResource } from './record.ts';

/** How many members the groups of a page have together, at least: a page with more ends early, as RFC 7644 section 3.4.2.4 allows. */
const MOST_MEMBERS = 5_000;

/** RFC 7644 section 3.4.2: list the groups that pass a filter, or all, by name. */
export const groupsGet = operation({
  ...SCIM_CALL,
  id: 'org/service/repository/scim/groups/groups.get',
  summary: 'List the groups that pass a filter, or all.',
  method: 'GET',
  paths: ['/Groups'],
  access: 'read',
  input: {
    query: Type.Object({
      ...pageArguments,
      ...shownArguments,
      filter: Type.Optional(Type.String({ description: 'a filter such as displayName eq "Staff"' })),
    }),
  },
  output: pageShown,
  refusals: ['argument_invalid', 'filter_invalid', 'filter_too_wide'],
  async perform({ input: { query }, store, basePath }) {
    const paging = pageIn(query);
    if (isRefusal(paging)) return paging;
    const filter = query.filter ? readFilter(query.filter) : undefined;
    if (isRefusal(filter)) return filter;
    const passing = await groupsPassing(store, filter);
    if (isRefusal(passing)) return passing;
    const { startIndex, count } = paging;
    const page = passing.slice(startIndex - 1, startIndex - 1 + count);
    const selection = selectionIn(query);
    const records = await groupRecords(store, page, isSelected(selection, 'members'), MOST_MEMBERS);
    const resources = records.map((record) => groupResource(record, basePath));
    return answer({ resources, total: passing.length, startIndex, selection });
  },
});
