import { isRefusal } from '../../../core/domain/refusal.ts';
import { answer, operation } from '../../../core/operation.ts';
import { Type } from '../../../core/schema.ts';
import type { ReadUnit } from '../../../core/storage/store.ts';
import { SCIM_CALL, type ScimRules } from '../call.ts';
import { readFilter } from '../filter.ts';
import { type PageAsked, pageArguments, pageIn } from '../paging.ts';
import { isSelected, pageShown, selectionIn, shownArguments } from '../shown.ts';
import { type UserLookUp, usersPassing } from './find.ts';
import { userRecords, userResource } from './record.ts';

/** How long further pages of a list tell the total that was last counted, in milliseconds. */
const TOTAL_AGE = 10_000;

/** All users in pages. The first page counts them: of a million that takes longer than to read a page. */
class UserPages {
  #last: { readonly total: number; readonly at: number } | undefined;

  async page({ users }: Pick<ReadUnit, 'users'>, { startIndex, count }: PageAsked, now: number) {
    const age = Math.abs(now - (this.#last?.at ?? 0));
    const cached = startIndex > 1 && age < TOTAL_AGE ? this.#last : undefined;
    const counting = cached?.total ?? users.count();
    const [total, page] = await Promise.all([counting, users.pageByNumber(startIndex - 1, count)]);
    this.#last = cached ?? { total, at: now };
    return { total, users: page };
  }
}

/** A page of the users that pass the filter. */
async function pageOfPassing(lookUp: UserLookUp, filterText: string, { startIndex, count }: PageAsked) {
  const filter = readFilter(filterText);
  if (isRefusal(filter)) return filter;
  const passing = await usersPassing(lookUp, filter);
  if (isRefusal(passing)) return passing;
  const page = passing.slice(startIndex - 1, startIndex - 1 + count);
  return { total: passing.length, users: page.map(({ user }) => user) };
}

/** RFC 7644 section 3.4.2: list the users that pass a filter, or all, by ascending ids. */
export function usersGet({ provider }: ScimRules) {
  const pages = new UserPages();
  return operation({
    ...SCIM_CALL,
    id: 'org/service/repository/scim/users/users.get',
    summary: 'List the users that pass a filter, or all.',
    method: 'GET',
    paths: ['/Users'],
    access: 'read',
    input: {
      query: Type.Object({
        ...pageArguments,
        ...shownArguments,
        filter: Type.Optional(Type.String({ description: 'a filter such as userName eq "carol"' })),
      }),
    },
    output: pageShown,
    refusals: ['argument_invalid', 'filter_invalid', 'filter_too_wide'],
    async perform({ input: { query }, store, keyOf, basePath, now }) {
      const page = pageIn(query);
      if (isRefusal(page)) return page;
      const found = query.filter
        ? await pageOfPassing({ unit: store, keyOf, provider }, query.filter, page)
        : await pages.page(store, page, now);
      if (isRefusal(found)) return found;
      const selection = selectionIn(query);
      const records = await userRecords(store, found.users, provider, isSelected(selection, 'groups'));
      const resources = records.map((record) => userResource(record, basePath));
      return answer({ resources, total: found.total, startIndex: page.startIndex, selection });
    },
  });
}
