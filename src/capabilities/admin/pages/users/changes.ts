import { isRefusal } from '../../../../core/domain/refusal.ts';
import { addressWith, userAddress } from '../../../../faces/pages/console/addresses.ts';
import { type ButtonChange, changePages, type RunOperation } from '../../../../faces/pages/console/change.ts';
import appPasswordDelete from '../../../factors/operations/admin/users/apppassword.delete.ts';
import secondFactorDelete from '../../../factors/operations/admin/users/secondfactor.delete.ts';
import memberUserDelete from '../../../people/operations/admin/groups/memberuser.delete.ts';
import memberUserPut from '../../../people/operations/admin/groups/memberuser.put.ts';
import userDelete from '../../../people/operations/admin/users/user.delete.ts';
import userGet from '../../../people/operations/admin/users/user.get.ts';
import userPatch from '../../../people/operations/admin/users/user.patch.ts';
import lockOutDelete from '../../operations/admin/lockout.delete.ts';
import ticketDelete from '../../operations/admin/users/ticket.delete.ts';
import ticketsDelete from '../../operations/admin/users/tickets.delete.ts';
import { USER_STATE, userState } from './state.ts';

const AREA = 'users';

async function findUserName(run: RunOperation, name: string) {
  const found = await run(userGet, { path: { userName: name } });
  return isRefusal(found) ? found : { name: found.value.user.name, state: userState(found.value) };
}

/** The keys of the texts of a question. */
type QuestionName =
  | 'reset-second-factor'
  | 'disable'
  | 'lock'
  | 'end-ticket'
  | 'end-tickets'
  | 'remove-app-password'
  | 'remove';

const question = (what: QuestionName): ButtonChange['asks'] => ({
  texts: ({ say }, name, of) => ({
    title: say(`console.users.${what}.title`, { name }),
    sentence: say(`console.users.${what}.sentence`, { name, of }),
    submit: say(`console.users.${what}.submit`),
  }),
  typesName: what === 'remove',
});

type UserChangeGiven = Pick<ButtonChange, 'summary' | 'perform'> &
  Partial<Pick<ButtonChange, 'next' | 'asks' | 'role' | 'isAlwaysMeant'>>;

/** A change that leads back to the page of the user, with a notice of the same name. */
const change = (what: string, described: UserChangeGiven): ButtonChange => ({
  area: AREA,
  what,
  role: 'administrator',
  find: findUserName,
  back: userAddress,
  texts: USER_STATE,
  next: (name) => addressWith(userAddress(name), { done: what }),
  ...described,
});

/** A change of the state of a user. */
const patch =
  (body: { readonly disabled?: boolean; readonly locked?: boolean; readonly mustChangePassword?: boolean }) =>
  (run: RunOperation, userName: string) =>
    run(userPatch, { path: { userName }, body });

const CHANGES: readonly ButtonChange[] = [
  change('disable', {
    ...{ summary: 'Disable a user.', perform: patch({ disabled: true }), asks: question('disable') },
  }),
  change('enable', { summary: 'Enable a user.', perform: patch({ disabled: false }) }),
  change('lock', { summary: 'Lock a user.', perform: patch({ locked: true }), asks: question('lock') }),
  change('unlock', {
    summary: 'Unlock a user.',
    role: 'operator',
    perform: (run, userName) => run(lockOutDelete, { path: { userName } }),
  }),
  change('require-password', {
    ...{ summary: 'Require a new password of a user.', perform: patch({ mustChangePassword: true }) },
  }),
  change('keep-password', {
    ...{ summary: 'Require no new password of a user.', perform: patch({ mustChangePassword: false }) },
  }),
  change('reset-second-factor', {
    summary: 'Remove all second factors of a user.',
    asks: question('reset-second-factor'),
    perform: (run, userName) => run(secondFactorDelete, { path: { userName } }),
  }),
  change('end-ticket', {
    summary: 'End a ticket of a user.',
    role: 'operator',
    asks: question('end-ticket'),
    isAlwaysMeant: true,
    perform: (run, userName, digest) => run(ticketDelete, { path: { userName, digest } }),
  }),
  change('end-tickets', {
    summary: 'End all tickets of a user.',
    role: 'operator',
    asks: question('end-tickets'),
    isAlwaysMeant: true,
    perform: (run, userName) => run(ticketsDelete, { path: { userName } }),
  }),
  change('remove-app-password', {
    summary: 'Remove an app password of a user.',
    asks: question('remove-app-password'),
    isAlwaysMeant: true,
    perform: (run, userName, appPassword) => run(appPasswordDelete, { path: { userName, appPassword } }),
  }),
  change('join-group', {
    summary: 'Make a user a member of a group.',
    perform: (run, userName, group) => run(memberUserPut, { path: { group, userName } }),
  }),
  change('leave-group', {
    summary: 'Take a user out of a group.',
    perform: (run, userName, group) => run(memberUserDelete, { path: { group, userName } }),
  }),
  change('remove', {
    summary: 'Remove a user.',
    asks: question('remove'),
    perform: (run, userName) => run(userDelete, { path: { userName } }),
    next: () => '/portal/console/users?done=removed',
  }),
];

/** The pages of all changes of a user by a button. */
export default CHANGES.flatMap(changePages);
