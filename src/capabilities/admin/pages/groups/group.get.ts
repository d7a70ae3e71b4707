import { isRefusal } from '../../../../core/domain/refusal.ts';
import { answer } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { inConsole, NAMED, type RunOperation } from '../../../../faces/pages/console/change.ts';
import { doneArgument } from '../../../../faces/pages/console/layout.ts';
import { page } from '../../../../faces/pages/page.ts';
import { placeArguments } from '../../../../faces/pages/parts/list.ts';
import groupGet from '../../../people/operations/admin/groups/group.get.ts';
import groupsGet from '../../../people/operations/admin/groups/groups.get.ts';
import membersGet from '../../../people/operations/admin/groups/members.get.ts';
import usersGet from '../../../people/operations/admin/users/users.get.ts';
import { filterOf } from '../users/users-view.ts';
import { groupPage } from './group-view.ts';

/** The members that a page shows, and the users and groups that a search offers. */
const MEMBERS = '50';
const FOUND = '10';

/** The users and groups that a search for new members finds. */
async function findMembers(run: RunOperation, find: string) {
  const users = await run(usersGet, { query: { ...filterOf({ find, only: '' }), limit: FOUND } });
  if (isRefusal(users)) return users;
  const groups = await run(groupsGet, { query: { search: find, limit: FOUND } });
  if (isRefusal(groups)) return groups;
  return { find, users: users.value.items, groups: groups.value.items };
}

/** Shows a group with its members (specification, section 19). */
export default page({
  id: 'org/service/repository/portal/console/groups/group.get',
  summary: 'Show a group.',
  method: 'GET',
  paths: ['/console/groups/{name}'],
  role: 'operator',
  input: {
    path: NAMED,
    query: Type.Object({
      ...doneArgument,
      find: Type.Optional(
        Type.String({ description: 'A part of the name of a new member.', maxLength: 1_024 }),
      ),
      ...placeArguments,
    }),
  },
  async perform(context) {
    const { reader, run } = inConsole(context);
    const { path, query } = context.input;
    const { find = '', done, ...place } = query;
    const view = await run(groupGet, { path: { group: path.name } });
    if (isRefusal(view)) return view;
    const members = await run(membersGet, {
      path: { group: path.name },
      query: { cursor: place.cursor ?? '', limit: MEMBERS },
    });
    if (isRefusal(members)) return members;
    const part = find.trim();
    const search = part === '' ? undefined : await findMembers(run, part);
    if (isRefusal(search)) return search;
    return answer(groupPage(reader, { view: view.value, members: members.value, place, search, done }));
  },
});
