import { isRefusal } from '../../../../core/domain/refusal.ts';
import { addressWith, groupAddress } from '../../../../faces/pages/console/addresses.ts';
import { type ButtonChange, changePages, type RunOperation } from '../../../../faces/pages/console/change.ts';
import groupDelete from '../../../people/operations/admin/groups/group.delete.ts';
import groupGet from '../../../people/operations/admin/groups/group.get.ts';
import memberGroupDelete from '../../../people/operations/admin/groups/membergroup.delete.ts';
import memberGroupPut from '../../../people/operations/admin/groups/membergroup.put.ts';
import memberUserDelete from '../../../people/operations/admin/groups/memberuser.delete.ts';
import memberUserPut from '../../../people/operations/admin/groups/memberuser.put.ts';
import { GROUP_STATE, groupState } from './state.ts';

async function findGroupName(run: RunOperation, name: string) {
  const found = await run(groupGet, { path: { group: name } });
  return isRefusal(found) ? found : { name: found.value.group.name, state: groupState(found.value) };
}

type GroupChangeGiven = Pick<ButtonChange, 'summary' | 'perform'> &
  Partial<Pick<ButtonChange, 'next' | 'asks'>>;

/** A change that leads back to the page of the group, with a notice of the same name. */
const change = (what: string, described: GroupChangeGiven): ButtonChange => ({
  area: 'groups',
  what,
  role: 'administrator',
  find: findGroupName,
  back: groupAddress,
  texts: GROUP_STATE,
  next: (name) => addressWith(groupAddress(name), { done: what }),
  ...described,
});

const CHANGES: readonly ButtonChange[] = [
  change('add-user', {
    summary: 'Make a user a member of a group.',
    perform: (run, group, userName) => run(memberUserPut, { path: { group, userName } }),
  }),
  change('remove-user', {
    summary: 'Take a user out of a group.',
    perform: (run, group, userName) => run(memberUserDelete, { path: { group, userName } }),
  }),
  change('add-group', {
    summary: 'Make a group a member of a group.',
    perform: (run, group, member) => run(memberGroupPut, { path: { group, member } }),
  }),
  change('remove-group', {
    summary: 'Take a group out of a group.',
    perform: (run, group, member) => run(memberGroupDelete, { path: { group, member } }),
  }),
  change('remove', {
    summary: 'Remove a group.',
    perform: (run, group) => run(groupDelete, { path: { group } }),
    next: () => '/portal/console/groups?done=removed',
    asks: {
      texts: ({ say }, name) => ({
        title: say('console.groups.remove.title', { name }),
        sentence: say('console.groups.remove.sentence', { name }),
        submit: say('console.groups.remove.submit'),
      }),
    },
  }),
];

/** The pages of all changes of a group by a button. */
export default CHANGES.flatMap(changePages);
