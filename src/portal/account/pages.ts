import type { AnyOperation } from '../../operation.ts';
import { OWN_PASSKEYS } from '../passkeys/account.ts';
import accountGet from './account.get.ts';
import appPasswordAdd from './app-password-add.ts';
import appPasswordRemove from './app-password-remove.ts';
import notMePages from './not-me.ts';
import passwordGet from './password.get.ts';
import passwordPost from './password.post.ts';
import passwordStrength from './password-strength.post.ts';
import provePages from './prove.ts';
import { SECOND_FACTOR_PAGES } from './second-factor.ts';
import ticketsEnd from './ticketend.post.ts';
import ticketsEndOthersGet from './ticketsend.get.ts';
import ticketsEndOthersPost from './ticketsend.post.ts';

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
