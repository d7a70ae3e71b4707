import { V1_CALL } from '../../../../core/api.ts';
import type { ListPage, Paging } from '../../../../core/domain/list-page.ts';
import { pageOf } from '../../../../core/domain/list-page.ts';
import { isRefusal, type Refusal, refuse } from '../../../../core/domain/refusal.ts';
import type { User } from '../../../../core/domain/user.ts';
import { answer, operation } from '../../../../core/operation.ts';
import {
  inOrderBy,
  orderArgument,
  pagingArguments,
  pagingOf,
} from '../../../../core/representations/v1/list.ts';
import { Type } from '../../../../core/schema.ts';
import type { ReadUnit } from '../../../../core/storage/store.ts';
import { type ListedPerson, v1PeopleShown } from '../../representations/v1/person.ts';
import { seesEverybody } from '../../rules/visible-groups.ts';
import type { PersonContext } from '../people/person.get.ts';

/** How many users a page has at most, and a list sorts by another order than that of the user names; how many are read at a time. */
const MOST_LISTED = 20_000;
const AT_ONCE = 1_000;

/** These users as entries of the list. */
async function listed(
  { profiles }: Pick<ReadUnit, 'profiles'>,
  users: readonly User[],
): Promise<readonly ListedPerson[]> {
  const all: ListedPerson[] = [];
  for (let at = 0; at < users.length; at += AT_ONCE) {
    const part = users.slice(at, at + AT_ONCE);
    const profileOf = await profiles.ofUsers(part.map(({ id }) => id));
    for (const user of part)
      all.push({
        userName: user.name,
        enabled: !user.disabled,
        profile: profileOf.get(user.id) ?? {},
      });
  }
  return all;
}

/** The page of all users by their names. Memory holds no more than the page. */
async function byName(
  { users }: Pick<ReadUnit, 'users'>,
  { skipCount, maxItems }: Paging,
): Promise<ListPage<User>> {
  const totalItems = await users.count();
  const items: User[] = [];
  let last: User | undefined;
  for (let passed = 0; skipCount < totalItems && passed < Math.min(totalItems, skipCount + maxItems); ) {
    const part = await users.page(last, Math.min(AT_ONCE, skipCount + maxItems - passed));
    if (part.length === 0) break;
    items.push(...part.slice(Math.max(0, skipCount - passed)));
    passed += part.length;
    last = part.at(-1);
  }
  return { items, totalItems, skipCount, maxItems };
}

/** The page of all users in another order. */
async function inOrder(
  store: ReadUnit,
  orderBy: string,
  paging: Paging,
): Promise<ListPage<ListedPerson> | Refusal<'filter_too_wide'>> {
  if ((await store.users.count()) > MOST_LISTED)
    return refuse('filter_too_wide', {
      detail: `there are more than ${MOST_LISTED} users: list them by id`,
    });
  const people = await listed(store, await store.users.list());
  const sorted = inOrderBy(people, orderBy, {
    id: ({ userName }) => userName,
    firstName: ({ profile }) => profile.firstName ?? '',
    lastName: ({ profile }) => profile.lastName ?? '',
  });
  return pageOf(sorted, paging);
}

async function visiblePeople(
  context: PersonContext,
  orderBy: string,
  paging: Paging,
): Promise<ListPage<ListedPerson> | Refusal<'filter_too_wide'>> {
  const { caller, store } = context;
  if (!(await seesEverybody(context))) {
    const itself = await store.users.find(caller.user.id);
    return pageOf(await listed(store, itself ? [itself] : []), paging);
  }
  if (!/^(id( +asc)?)?$/i.test(orderBy)) return inOrder(store, orderBy, paging);
  const page = await byName(store, paging);
  return { ...page, items: await listed(store, page.items) };
}

/** Specification, section 12: the users whom the caller may see. */
export default operation({
  id: 'org/service/repository/v1/people.get',
  summary: 'List the users whom the caller may see, by the v1 API.',
  family: 'People',
  ...V1_CALL,
  method: 'GET',
  paths: ['/alfresco/versions/1/people'],
  authentication: 'user',
  access: 'read',
  input: {
    query: Type.Object({ ...pagingArguments, orderBy: orderArgument('id', 'firstName', 'lastName') }),
  },
  output: v1PeopleShown,
  refusals: ['argument_invalid', 'skip_count_negative', 'max_items_not_positive', 'filter_too_wide'],
  async perform({ input: { query }, ...context }) {
    const { skipCount, maxItems } = pagingOf(query);
    const paging = { skipCount, maxItems: Math.min(maxItems, MOST_LISTED) };
    const page = await visiblePeople(context, query.orderBy ?? '', paging);
    return isRefusal(page) ? page : answer(page);
  },
});
