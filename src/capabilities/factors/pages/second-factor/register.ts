import type { Answer } from '../../../../core/answer.ts';
import type { BrowserContext } from '../../../../core/browser-context.ts';
import { isRefusal, type Refusal, refuse } from '../../../../core/domain/refusal.ts';
import type { User } from '../../../../core/domain/user.ts';
import { hasEnded } from '../../../../core/gate/ended-sessions.ts';
import type { Verified } from '../../../../core/identity/passwords.ts';
import { answer } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import type { ReadUnit } from '../../../../core/storage/store.ts';
import { type Html, html } from '../../../../faces/pages/html.ts';
import { pageText, type Reader } from '../../../../faces/pages/layout.ts';
import { type PageSent, page, seeOther } from '../../../../faces/pages/page.ts';
import { faultSummary } from '../../../../faces/pages/parts/form.ts';
import { passkeyForm } from '../../../../faces/pages/parts/passkey-form.ts';
import { anyReader } from '../../../../faces/pages/reader.ts';
import { otherOrigin } from '../../../../faces/pages/return-address.ts';
import { REGISTRATION, type SignInContext, signInNow } from '../../../../faces/pages/sign-in.ts';
import { factorDemandOf } from '../../rules/second-factors.ts';
import { takesPasskeys } from '../passkeys/options.ts';
import { appRegistration, keepApp, type RegisteredFactor, registeredSecret } from './app.ts';
import { recoveryCodesShown } from './app-view.ts';
import { pendingCookie, pendingSignIn, START } from './pending.ts';

/** Where the answer of an authenticator that makes a passkey is sent. */
export const PASSKEY_REGISTRATION = `${REGISTRATION}/passkey`;

/** A user whose sign-in waits, and where it leads then. */
interface WaitingUser {
  readonly user: User;
  readonly back: string;
  /** How the user has proved who it is so far. */
  readonly methods: Verified['methods'];
  readonly parent: Verified['parent'];
  readonly loginReason: Verified['loginReason'];
}

/** The user whose sign-in waits for the registration of a second factor, and where it leads then; undefined for any other browser. */
export async function waitingUser(
  unit: ReadUnit,
  browser: BrowserContext,
  now: number,
): Promise<WaitingUser | undefined> {
  const pending = pendingSignIn(browser);
  const user = pending && (await unit.users.find(pending.userId));
  if (user === undefined || user.generation !== pending?.generation) return undefined;
  if (await hasEnded(unit, pending)) return undefined;
  // A user with a second factor has to give it: the password alone may not add another one.
  const { asks } = await factorDemandOf(unit, user, browser.secondFactors.rules, now);
  const { back, methods, parent, loginReason } = pending;
  return asks === 'registration' ? { user, back, methods, parent, loginReason } : undefined;
}

/**
 * How the sign-in goes on after a refused ticket: the user who has to choose a new password is asked for the password again, and
 * then for the new one. The recovery codes are shown before, since they are shown once.
 */
function goesOnAfter<R extends Refusal>(
  refusal: R,
  browser: BrowserContext,
  { user, back }: WaitingUser,
  { methods }: Verified,
): R | (Pick<Answer<PageSent>, 'seeOther' | 'changes' | 'cookies'> & { readonly next: string }) {
  if (refusal.refused !== 'new_password_needed') return refusal;
  const cookies = [pendingCookie(browser, { ...user, methods }, { back, hasGivenFactor: true })];
  return { cookies, next: `${START}?${new URLSearchParams({ return: back })}` };
}

/** The two ways of a page that offers passkeys. */
const eitherWay = (
  reader: Reader,
  appPart: Html,
): Html => html`<section><h2>${reader.say('passkeys.suggested')}</h2>
<p>${reader.say('secondFactor.registerPasskey')}</p>
${passkeyForm(reader, {
  does: 'create',
  action: PASSKEY_REGISTRATION,
  optionsUrl: `${PASSKEY_REGISTRATION}-options`,
  submit: reader.say('passkeys.addSubmit'),
})}</section>
<section><h2>${reader.say('secondFactor.app')}</h2>${appPart}</section>`;

/** Why the last try was refused: a code of the app, whose secret stays, or a passkey. */
type RefusedTry = { readonly secret: Buffer; readonly fault: string } | { readonly passkeyFault: string };

/** The page on which the user makes a passkey or registers an app. */
export async function registrationPage(
  reader: Reader,
  browser: BrowserContext,
  { user, back }: WaitingUser,
  refused?: RefusedTry,
): Promise<PageSent> {
  const { say } = reader;
  const usesPasskeys = takesPasskeys(browser);
  const title = say(usesPasskeys ? 'secondFactor.registerTitle' : 'secondFactor.appTitle');
  const again = refused && 'secret' in refused ? refused : undefined;
  const form = await appRegistration(
    reader,
    browser,
    { user, action: REGISTRATION, cancel: START },
    again?.secret,
    again?.fault,
  );
  const intro = say(usesPasskeys ? 'secondFactor.registerChoice' : 'secondFactor.registerIntro');
  const body = html`<h1>${title}</h1>
${refused && 'passkeyFault' in refused && faultSummary([{ sentence: refused.passkeyFault }])}
<p>${intro} ${say('secondFactor.programs')}</p>
${usesPasskeys ? eitherWay(reader, form) : form}`;
  return { text: pageText(reader, { title, body, usesPasskeys }), formLeadsTo: otherOrigin(back) };
}

/** Signs in the user who has registered a second factor, and shows the recovery codes once. */
export async function signInRegistered(
  context: SignInContext & Parameters<typeof anyReader>[0],
  waiting: WaitingUser,
  verified: Verified,
  { events, codes = [] }: RegisteredFactor,
) {
  const reader = anyReader(context);
  const { back, parent, loginReason } = waiting;
  const signedIn = await signInNow(context, { ...verified, parent, loginReason }, back);
  const goesOn = isRefusal(signedIn)
    ? goesOnAfter(signedIn, context.browser as BrowserContext, waiting, verified)
    : { ...signedIn, next: back };
  if (isRefusal(goesOn)) return goesOn;
  const { seeOther: _, next, changes = [], ...booked } = goesOn;
  const title = reader.say('secondFactor.codesTitle');
  const body = html`<h1>${title}</h1>${recoveryCodesShown(reader, { codes, next })}`;
  const value = { text: pageText(reader, { title, body }) } as PageSent;
  return { ...booked, value, changes: [...events, ...changes] };
}

const common = { paths: ['/second-factor/register'], authentication: 'none' } as const;

const get = page({
  ...common,
  id: 'org/service/repository/portal/second-factor/register.get',
  summary: 'Ask a user who has to have a second factor to register an app.',
  method: 'GET',
  input: {},
  async perform(context) {
    const own = context.browser as BrowserContext;
    const waiting = await waitingUser(context.store, own, context.now);
    if (waiting === undefined) return seeOther(START);
    return answer(await registrationPage(anyReader(context), own, waiting));
  },
});

const post = page({
  ...common,
  id: 'org/service/repository/portal/second-factor/register.post',
  summary: 'Register an app, and sign in.',
  method: 'POST',
  takesPassword: 'body',
  input: {
    body: Type.Object({
      code: Type.String({ description: 'A code of the app.' }),
      sealed: Type.String({ description: 'The sealed secret of the app.' }),
    }),
  },
  async perform(context) {
    const { browser, input, now, store } = context;
    const own = browser as BrowserContext;
    const reader = anyReader(context);
    const waiting = await waitingUser(store, own, now);
    const secret = waiting && registeredSecret(own, waiting.user.id, input.body.sealed);
    if (waiting === undefined || secret === undefined) return seeOther(START);
    const { user } = waiting;
    const methods: Verified['methods'] = [...waiting.methods, 'otp'];
    const step = await own.secondFactors.firstStep(secret, input.body.code);
    if (step === undefined) {
      const fault = reader.say('secondFactor.appWrong');
      return answer(await registrationPage(reader, own, waiting, { secret, fault }), { status: 422 });
    }
    const { id: userId, generation, passwordHash } = user;
    const verified = { userId, generation, passwordHash, methods };
    if ((await context.confirm(verified)) === undefined) return refuse('login_failed', { user: user.name });
    const registered = await keepApp(store, own, user, { secret, step, now });
    return signInRegistered(context, waiting, verified, registered);
  },
});

/** The registration of a second factor before a sign-in that requires one (specification, section 21). */
export default [get, post];
