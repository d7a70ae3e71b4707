import { cursorPage, cursorsOf } from '../../../../../core/domain/cursor.ts';
import type { Group } from '../../../../../core/domain/group.ts';
import { isRefusal } from '../../../../../core/domain/refusal.ts';
import { adminOperation, answer } from '../../../../../core/operation.ts';
import { limitIn, pageArguments, pageShown } from '../../../../../core/representations/admin/page.ts';
import { Type } from '../../../../../core/schema.ts';
import { type GroupMember, groupMemberJson, groupMemberShown } from '../../../representations/admin/group.ts';
import { findGroup } from '../../../rules/groups.ts';
import groupGet from './group.get.ts';

/** The key of a group, or the id of a user. */
const CURSORS = cursorsOf('members of a group', 'string', 'number');

/** Specification, section 16: list the members of a group. */
export default adminOperation({
  id: 'org/service/repository/admin/groups/members.get',
  summary: 'List the members of a group: first the groups by name, then the users, first added first.',
  method: 'GET',
  paths: ['/api/admin/groups/{group}/members'],
  role: 'operator',
  input: { path: groupGet.input.path, query: Type.Object(pageArguments) },
  output: pageShown(groupMemberShown, groupMemberJson),
  refusals: ['group_not_found', 'argument_invalid', 'cursor_invalid'],
  async perform({ input: { path, query }, store }) {
    const group = await findGroup(store, path.group);
    if (isRefusal(group)) return group;
    const after = CURSORS.read(query.cursor);
    if (isRefusal(after)) return after;
    const [lastGroup, lastUser] = after ?? ['', 0];
    const limit = limitIn(query);
    const groups = lastUser > 0 ? [] : behind(await store.groups.groupsIn(group.id), lastGroup);
    const left = limit + 1 - groups.length;
    const users = left > 0 ? await store.groups.usersIn(group.id, lastUser, left) : [];
    const profiles = await store.profiles.ofUsers(users.map(({ id }) => id));
    const members: GroupMember[] = [
      ...groups.map((member) => ({ group: member })),
      ...users.map((user) => ({ user, profile: profiles.get(user.id) ?? {} })),
    ];
    const place = (member: GroupMember) =>
      'group' in member ? ([member.group.key, 0] as const) : (['', member.user.id] as const);
    return answer(cursorPage(members, limit, CURSORS, place));
  },
});

/** The groups behind this key, in the order of code points, as the store has them. */
function behind(groups: readonly Group[], last: string): readonly Group[] {
  return groups.filter(({ key }) => Buffer.compare(Buffer.from(key), Buffer.from(last)) > 0);
}
