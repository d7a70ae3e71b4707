import appPasswordAdd from '../capabilities/factors/pages/account/app-password-add.ts';
import appPasswordRemove from '../capabilities/factors/pages/account/app-password-remove.ts';
import { SECOND_FACTOR_PAGES } from '../capabilities/factors/pages/account/second-factor.ts';
import { OWN_PASSKEYS } from '../capabilities/factors/pages/passkeys/account.ts';
import accountGet from '../capabilities/people/pages/account/account.get.ts';
import notMePages from '../capabilities/people/pages/account/not-me.ts';
import passwordGet from '../capabilities/people/pages/account/password.get.ts';
import passwordPost from '../capabilities/people/pages/account/password.post.ts';
import passwordStrength from '../capabilities/people/pages/account/password-strength.post.ts';
import provePages from '../capabilities/people/pages/account/prove.ts';
import ticketsEnd from '../capabilities/people/pages/account/ticketend.post.ts';
import ticketsEndOthersGet from '../capabilities/people/pages/account/ticketsend.get.ts';
import ticketsEndOthersPost from '../capabilities/people/pages/account/ticketsend.post.ts';
import type { AnyOperation } from '../core/operation.ts';

/** The pages of the account. */
export const ACCOUNT_PAGES: readonly AnyOperation[] = [
  accountGet,
  passwordGet,
  passwordPost,
  passwordStrength,
  ...notMePages,
  ...SECOND_FACTOR_PAGES,
  ...OWN_PASSKEYS,
  ...provePages,
  ...appPasswordAdd,
  ...appPasswordRemove,
  ticketsEnd,
  ticketsEndOthersGet,
  ticketsEndOthersPost,
];
