import type { AnyOperation } from '../../core/operation.ts';
import appPasswordAdd from './pages/account/app-password-add.ts';
import appPasswordRemove from './pages/account/app-password-remove.ts';
import { SECOND_FACTOR_PAGES } from './pages/account/second-factor.ts';
import consoleAppPasswords from './pages/console/app-passwords.ts';
import consoleChanges from './pages/console/changes.ts';
import { OWN_PASSKEYS } from './pages/passkeys/account.ts';
import { PASSKEY_REGISTRATIONS } from './pages/passkeys/register.ts';
import { PASSKEY_SIGN_INS } from './pages/passkeys/sign-in.ts';
import registrationPages from './pages/second-factor/register.ts';
import secondStepPages from './pages/second-factor/second-step.ts';
import soonGet from './pages/second-factor/soon.get.ts';

/** The pages of this capability. */
export const PAGES: readonly AnyOperation[] = [
  ...secondStepPages,
  ...PASSKEY_SIGN_INS,
  ...PASSKEY_REGISTRATIONS,
  ...registrationPages,
  soonGet,
  ...SECOND_FACTOR_PAGES,
  ...OWN_PASSKEYS,
  ...appPasswordAdd,
  ...appPasswordRemove,
  ...consoleAppPasswords,
  ...consoleChanges,
];
