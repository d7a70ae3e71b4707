import type { AnyOperation } from '../operation.ts';
import type { ShowRefused, ShowRefusedByGate } from '../representations/representation.ts';
import { ACCOUNT_PAGES } from './account/pages.ts';
import { assetOperations } from './asset-operations.ts';
import { CONSOLE_PAGES } from './console/pages.ts';
import { gatePage } from './gate-page.ts';
import home, { root } from './home.get.ts';
import loginGet from './login.get.ts';
import loginPost from './login.post.ts';
import logoutPost from './logout.post.ts';
import newPasswordPost from './new-password.post.ts';
import { PASSKEY_REGISTRATIONS } from './passkeys/register.ts';
import { PASSKEY_SIGN_INS } from './passkeys/sign-in.ts';
import { refusalPage } from './refusal-page.ts';
import registrationPages from './second-factor/register.ts';
import secondStepPages from './second-factor/second-step.ts';
import soonGet from './second-factor/soon.get.ts';
import signInWithPost from './sign-in-with/sign-in-with.post.ts';
import signedInGet from './sign-in-with/signed-in.get.ts';
import signedOutGet from './sign-in-with/signed-out.get.ts';

/** The pages for people (`people.md` sections 17 to 19). */
export interface Portal {
  /** Every page. They are served beside the operations, and described nowhere: programs have no use for them. */
  readonly pages: readonly AnyOperation[];
  /** Shows a refusal, if the page that was asked for does not show its own. */
  readonly refusalPage: ShowRefused;
  /** Shows a person why the gate refuses a request to a protected service. */
  readonly gatePage: ShowRefusedByGate;
}

/** The pages as they are served. */
export const portal: Portal = {
  pages: [
    root,
    home,
    loginGet,
    loginPost,
    newPasswordPost,
    logoutPost,
    signInWithPost,
    signedInGet,
    signedOutGet,
    ...secondStepPages,
    ...PASSKEY_SIGN_INS,
    ...registrationPages,
    ...PASSKEY_REGISTRATIONS,
    soonGet,
    ...assetOperations,
    ...ACCOUNT_PAGES,
    ...CONSOLE_PAGES,
  ],
  refusalPage,
  gatePage,
};
