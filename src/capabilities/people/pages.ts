import type { AnyOperation } from '../../core/operation.ts';
import type { PageSections } from '../capability.ts';
import { accountGet } from './pages/account/account.get.ts';
import { notMePages } from './pages/account/not-me.ts';
import passwordGet from './pages/account/password.get.ts';
import passwordPost from './pages/account/password.post.ts';
import passwordStrength from './pages/account/password-strength.post.ts';
import profilePages from './pages/account/profile.ts';
import provePages from './pages/account/prove.ts';
import ticketsEnd from './pages/account/ticketend.post.ts';
import ticketsEndOthersGet from './pages/account/ticketsend.get.ts';
import ticketsEndOthersPost from './pages/account/ticketsend.post.ts';
import newPasswordPost from './pages/new-password.post.ts';

/** The pages of this capability, with what all capabilities show on them. */
export const pagesWith = ({ accountSections, otherCredentials }: PageSections): readonly AnyOperation[] => [
  accountGet(accountSections),
  newPasswordPost,
  passwordGet,
  passwordPost,
  passwordStrength,
  ...notMePages(otherCredentials),
  ...profilePages,
  ...provePages,
  ticketsEnd,
  ticketsEndOthersGet,
  ticketsEndOthersPost,
];
