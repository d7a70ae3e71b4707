import { type ButtonChange, changePages, type RunOperation } from '../../../../faces/pages/console/change.ts';
import memberUserDelete from '../../../people/operations/admin/groups/memberuser.delete.ts';
import memberUserPut from '../../../people/operations/admin/groups/memberuser.put.ts';
import userDelete from '../../../people/operations/admin/users/user.delete.ts';
import userPatch from '../../../people/operations/admin/users/user.patch.ts';
import { userChange, userQuestion } from '../../../people/pages/console/user-changes.ts';
import lockOutDelete from '../../operations/admin/lockout.delete.ts';
import ticketDelete from '../../operations/admin/users/ticket.delete.ts';
import ticketsDelete from '../../operations/admin/users/tickets.delete.ts';

/** A change of the state of a user. */
const patch =
  (body: { readonly disabled?: boolean; readonly locked?: boolean; readonly mustChangePassword?: boolean }) =>
  (run: RunOperation, userName: string) =>
    run(userPatch, { path: { userName }, body });

const CHANGES: readonly ButtonChange[] = [
  userChange('disable', {
    summary: 'Disable a user.',
    perform: patch({ disabled: true }),
    asks: userQuestion('disable'),
  }),
  userChange('enable', { summary: 'Enable a user.', perform: patch({ disabled: false }) }),
  userChange('lock', {
    summary: 'Lock a user.',
    perform: patch({ locked: true }),
    asks: userQuestion('lock'),
  }),
  userChange('unlock', {
    summary: 'Unlock a user.',
    role: 'operator',
    perform: (run, userName) => run(lockOutDelete, { path: { userName } }),
  }),
  userChange('require-password', {
    summary: 'Require a new password of a user.',
    perform: patch({ mustChangePassword: true }),
  }),
  userChange('keep-password', {
    summary: 'Require no new password of a user.',
    perform: patch({ mustChangePassword: false }),
  }),
  userChange('end-ticket', {
    summary: 'End a ticket of a user.',
    role: 'operator',
    asks: userQuestion('end-ticket'),
    isAlwaysMeant: true,
    perform: (run, userName, digest) => run(ticketDelete, { path: { userName, digest } }),
  }),
  userChange('end-tickets', {
    summary: 'End all tickets of a user.',
    role: 'operator',
    asks: userQuestion('end-tickets'),
    isAlwaysMeant: true,
    perform: (run, userName) => run(ticketsDelete, { path: { userName } }),
  }),
  userChange('join-group', {
    summary: 'Make a user a member of a group.',
    perform: (run, userName, group) => run(memberUserPut, { path: { group, userName } }),
  }),
  userChange('leave-group', {
    summary: 'Take a user out of a group.',
    perform: (run, userName, group) => run(memberUserDelete, { path: { group, userName } }),
  }),
  userChange('remove', {
    summary: 'Remove a user.',
    asks: userQuestion('remove'),
    perform: (run, userName) => run(userDelete, { path: { userName } }),
    next: () => '/portal/console/users?done=removed',
  }),
];

/** The pages of all changes of a user by a button. */
export default CHANGES.flatMap(changePages);
