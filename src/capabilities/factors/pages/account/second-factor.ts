import type { Caller } from '../../../../core/answer.ts';
import type { BrowserContext } from '../../../../core/browser-context.ts';
import { isPasswordless, type User } from '../../../../core/domain/user.ts';
import { answer } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import type { ReadUnit } from '../../../../core/storage/store.ts';
import { type Html, html } from '../../../../faces/pages/html.ts';
import { pageText, type Reader } from '../../../../faces/pages/layout.ts';
import { form, type PageSent, page, seeOther } from '../../../../faces/pages/page.ts';
import { confirmation } from '../../../../faces/pages/parts/form.ts';
import { notice } from '../../../../faces/pages/parts/notice.ts';
import { provedRecently, proveFirst } from '../../../../faces/pages/proof.ts';
import { userReader } from '../../../../faces/pages/reader.ts';
import { removeApp, replaceRecoveryCodes, secondFactorsOf } from '../../rules/second-factors.ts';
import { newRecoveryCodes } from '../../second-factor/recovery-codes.ts';
import { lacksHostName, takesPasskeys } from '../passkeys/options.ts';
import { appRegistration, keepApp, registeredSecret } from '../second-factor/app.ts';
import { recoveryCodesShown } from '../second-factor/app-view.ts';
import { APP, RECOVERY_CODES, REMOVE_APP, type ShownSecondFactors } from './second-factor-view.ts';

const ACCOUNT = '/portal/account';

/**
 * The second factors of the caller. Undefined if they do not count: no sign-in asks for them, or any password logs the user in.
 */
export async function shownSecondFactors(
  store: ReadUnit,
  { user }: Caller,
  browser: BrowserContext,
): Promise<ShownSecondFactors | undefined> {
  const { secondFactors } = browser;
  if (secondFactors.rules.mode === 'off') return undefined;
  const [account, factors] = await Promise.all([store.users.find(user.id), secondFactorsOf(store, user.id)]);
  if (account === undefined || isPasswordless(account)) return undefined;
  return {
    ...factors,
    isAskedFor: account.hasSecondFactor,
    takesApps: secondFactors.takesApps,
    takesPasskeys: takesPasskeys(browser),
    lacksHostName: lacksHostName(browser),
  };
}

/** The context of these pages. */
interface OwnerContext {
  readonly caller: Caller;
  readonly browser: BrowserContext | undefined;
  readonly store: ReadUnit;
  readonly now: number;
}

/** The caller who may change second factors now, or the answer that leads elsewhere: to the account, or to a proof first. */
async function ownerOf(context: OwnerContext, back: string) {
  const { browser, caller, store } = context;
  const own = browser as BrowserContext;
  const factors = await shownSecondFactors(store, caller, own);
  if (factors === undefined) return { leads: seeOther(ACCOUNT) };
  if (!provedRecently(context)) return { leads: proveFirst(back) };
  return { own, factors, user: (await store.users.find(caller.user.id)) as User };
}

const sentPage = (reader: Reader, title: string, body: Html): PageSent => ({
  text: pageText(reader, {
    title,
    body: html`<div class="card narrow"><h1>${title}</h1>${body}</div>`,
    current: `${ACCOUNT}/second-factor`,
  }),
});

/** The page on which the user registers an app: with a new secret, or with that of the last code, which was wrong. */
async function appPage(
  reader: Reader,
  { own, user }: { readonly own: BrowserContext; readonly user: User },
  again?: { readonly secret: Buffer; readonly fault: string },
): Promise<PageSent> {
  const { say } = reader;
  const where = { user, action: APP, cancel: ACCOUNT };
  const question = await appRegistration(reader, own, where, again?.secret, again?.fault);
  return sentPage(
    reader,
    say('secondFactor.appTitle'),
    html`<p>${say('secondFactor.programsBefore')}</p>${question}`,
  );
}

/** The page that shows recovery codes once. */
function codesPage(reader: Reader, codes: readonly string[], added: boolean): PageSent {
  const { say } = reader;
  const notices =
    added &&
    html`${notice('good', say('account.doneAppAdded'))}${notice('warning', say('secondFactor.programs'))}`;
  const content = recoveryCodesShown(reader, { codes, next: `${ACCOUNT}#second-factor` });
  return sentPage(reader, say('secondFactor.codesTitle'), html`${notices}${content}`);
}

const id = (what: string) => `org/service/repository/portal/account/second-factor/${what}` as const;
const common = { authentication: 'user' } as const;

const appGet = page({
  ...common,
  id: id('app.get'),
  summary: 'Show the form that registers an authenticator app.',
  method: 'GET',
  paths: ['/account/second-factor/app'],
  input: {},
  async perform(context) {
    const owner = await ownerOf(context, APP);
    if ('leads' in owner) return owner.leads;
    if (!owner.factors.takesApps) return seeOther(ACCOUNT);
    return answer(await appPage(await userReader(context), owner));
  },
});

const appPost = page({
  ...common,
  id: id('app.post'),
  summary: 'Register an authenticator app.',
  method: 'POST',
  paths: ['/account/second-factor/app'],
  input: {
    body: form({
      code: Type.String({ description: 'A code of the app.' }),
      sealed: Type.String({ description: 'The sealed secret of the app.' }),
    }),
  },
  async perform(context) {
    const owner = await ownerOf(context, APP);
    if ('leads' in owner) return owner.leads;
    const { own, user } = owner;
    const { code, sealed } = context.input.body;
    const secret = registeredSecret(own, user.id, sealed);
    if (secret === undefined) return seeOther(APP);
    const reader = await userReader(context);
    const step = await own.secondFactors.firstStep(secret, code);
    if (step === undefined) {
      const fault = reader.say('secondFactor.appWrong');
      return answer(await appPage(reader, owner, { secret, fault }), { status: 422 });
    }
    const factor = await keepApp(context.store, own, user, { secret, step, now: context.now });
    if (factor.codes === undefined) return seeOther(`${ACCOUNT}?done=app-added`, { changes: factor.events });
    return answer(codesPage(reader, factor.codes, true), { changes: factor.events });
  },
});

/** A change after a question: the texts of the page that asks, and what it does. */
interface AskedFirst {
  readonly what: 'remove-app' | 'recovery-codes';
  readonly summary: string;
  texts(reader: Reader): { readonly sentence: string; readonly submit: string };
}

const questionPage = ({ what, summary, texts }: AskedFirst) =>
  page({
    ...common,
    id: id(`${what}.get`),
    summary: `Ask before: ${summary}`,
    method: 'GET',
    paths: [`/account/second-factor/${what}`],
    input: {},
    async perform(context) {
      const action = `${ACCOUNT}/second-factor/${what}`;
      const owner = await ownerOf(context, action);
      if ('leads' in owner) return owner.leads;
      if (!owner.factors.isAskedFor) return seeOther(ACCOUNT);
      const reader = await userReader(context);
      const wording = texts(reader);
      const body = html`<h1>${wording.submit}</h1>${confirmation(reader, { ...wording, action, isDangerous: true, cancel: ACCOUNT })}`;
      return answer({ text: pageText(reader, { title: wording.submit, body, current: action }) });
    },
  });

const removal: AskedFirst = {
  what: 'remove-app',
  summary: 'Remove the authenticator app.',
  texts: ({ say }) => ({
    sentence: say('secondFactor.removeAppSentence'),
    submit: say('secondFactor.removeApp'),
  }),
};

const newCodes: AskedFirst = {
  what: 'recovery-codes',
  summary: 'Make new recovery codes.',
  texts: ({ say }) => ({
    sentence: say('secondFactor.newCodesSentence'),
    submit: say('secondFactor.newCodes'),
  }),
};

const removePost = page({
  ...common,
  id: id('remove-app.post'),
  summary: removal.summary,
  method: 'POST',
  paths: ['/account/second-factor/remove-app'],
  input: { body: form({}) },
  async perform(context) {
    const owner = await ownerOf(context, REMOVE_APP);
    if ('leads' in owner) return owner.leads;
    const { events } = await removeApp(context.store, owner.user);
    return seeOther(`${ACCOUNT}?done=app-removed`, { changes: events });
  },
});

const codesPost = page({
  ...common,
  id: id('recovery-codes.post'),
  summary: newCodes.summary,
  method: 'POST',
  paths: ['/account/second-factor/recovery-codes'],
  input: { body: form({}) },
  async perform(context) {
    const owner = await ownerOf(context, RECOVERY_CODES);
    if ('leads' in owner) return owner.leads;
    if (!owner.factors.isAskedFor) return seeOther(ACCOUNT);
    const { codes, digests } = newRecoveryCodes();
    const { events } = await replaceRecoveryCodes(context.store, owner.user, digests);
    return answer(codesPage(await userReader(context), codes, false), { changes: events });
  },
});

/** The pages of the own second factors (specification, section 21). Each change needs a recent proof. */
export const SECOND_FACTOR_PAGES = [
  appGet,
  appPost,
  questionPage(removal),
  removePost,
  questionPage(newCodes),
  codesPost,
];
