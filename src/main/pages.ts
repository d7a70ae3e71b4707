import { PASSKEY_REGISTRATIONS } from '../capabilities/factors/pages/passkeys/register.ts';
import { PASSKEY_SIGN_INS } from '../capabilities/factors/pages/passkeys/sign-in.ts';
import registrationPages from '../capabilities/factors/pages/second-factor/register.ts';
import secondStepPages from '../capabilities/factors/pages/second-factor/second-step.ts';
import soonGet from '../capabilities/factors/pages/second-factor/soon.get.ts';
import signInWithPost from '../capabilities/oidc/pages/sign-in-with.post.ts';
import signedInGet from '../capabilities/oidc/pages/signed-in.get.ts';
import signedOutGet from '../capabilities/oidc/pages/signed-out.get.ts';
import { gatePage } from '../capabilities/proxy-gate/pages/gate-page.ts';
import type { AnyOperation } from '../core/operation.ts';
import type { ShowRefused, ShowRefusedByGate } from '../core/representations/representation.ts';
import { assetOperations } from '../faces/pages/asset-operations.ts';
import home, { root } from '../faces/pages/home.get.ts';
import loginGet from '../faces/pages/login.get.ts';
import loginPost from '../faces/pages/login.post.ts';
import logoutPost from '../faces/pages/logout.post.ts';
import newPasswordPost from '../faces/pages/new-password.post.ts';
import { refusalPage } from '../faces/pages/refusal-page.ts';
import { ACCOUNT_PAGES } from './account-pages.ts';
import { CONSOLE_PAGES } from './console-pages.ts';

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
