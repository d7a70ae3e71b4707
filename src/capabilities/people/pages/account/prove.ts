import type { BrowserContext } from '../../../../core/browser-context.ts';
import { refuse } from '../../../../core/domain/refusal.ts';
import { answer } from '../../../../core/operation.ts';
import type { ShowRefused, SignInButton } from '../../../../core/representations/representation.ts';
import { Type } from '../../../../core/schema.ts';
import { html } from '../../../../faces/pages/html.ts';
import { pageText, type Reader } from '../../../../faces/pages/layout.ts';
import { form, page, seeOther } from '../../../../faces/pages/page.ts';
import { changeForm, faultSummary, lineField } from '../../../../faces/pages/parts/form.ts';
import { givesFactor, PROVE, proofCookie, ticketProved } from '../../../../faces/pages/proof.ts';
import { userReader } from '../../../../faces/pages/reader.ts';
import { refusalPage, refusedReader, sentenceFor } from '../../../../faces/pages/refusal-page.ts';
import { ownAddress } from '../../../../faces/pages/return-address.ts';
import { checkOwnPassword } from '../../rules/own-password.ts';

/** The values on the page where users prove again who they are. */
interface ProvePage {
  /** The page of the account that needs the proof. */
  readonly back: string;
  /** Why the last password was refused. */
  readonly fault?: string;
}

/** The page where users enter their password again. */
function provePage(reader: Reader, { back, fault }: ProvePage): string {
  const { say, user } = reader;
  const title = say('prove.title');
  const fields = [
    // Tells password managers whose password is asked for. It is neither shown nor sent.
    user && html`<input type="text" autocomplete="username" value="${user.name}" hidden>`,
    lineField(reader, {
      name: 'password',
      label: say('prove.password'),
      type: 'password',
      isFocused: fault === undefined,
      autocomplete: 'current-password',
      fault,
    }),
  ];
  const form = changeForm(reader, {
    action: PROVE,
    hidden: { return: back },
    fields,
    submit: say('prove.submit'),
    cancel: '/portal/account',
  });
  const body = html`<div class="card narrow"><h1>${title}</h1>
${fault !== undefined && faultSummary([{ field: 'password', sentence: fault }])}
<p>${say('prove.intro')}</p>
${form}</div>`;
  return pageText(reader, { title, body, current: PROVE });
}

/** The page where users sign in again at their identity provider. The new ticket is the proof. */
function proveAtProviderPage(
  reader: Reader,
  { back, provider: { id, name } }: { readonly back: string; readonly provider: SignInButton },
): string {
  const { say } = reader;
  const title = say('prove.title');
  const form = changeForm(reader, {
    action: `/portal/sign-in-with/${id}`,
    hidden: { return: back, again: 'yes' },
    submit: say('signIn.with', { name }),
    cancel: '/portal/account',
  });
  const body = html`<div class="card narrow"><h1>${title}</h1>
<p>${say('prove.atProvider', { name })}</p>
${form}</div>`;
  return pageText(reader, { title, body, current: PROVE });
}

/** Refusals that the form is shown with again. */
const FORM_FAULTS: readonly string[] = [
  'password_missing',
  'password_too_long',
  'old_password_wrong',
  'passwords_unavailable',
  'hash_queue_full',
];

/** The page after a refused password. */
const refusedProof: ShowRefused = (refused) => {
  if (!FORM_FAULTS.includes(refused.refused)) return refusalPage(refused);
  const reader = refusedReader(refused);
  const back = ownAddress(refused.form.return, refused);
  return { text: provePage(reader, { back, fault: sentenceFor(reader, refused) }) };
};

const common = { paths: ['/account/prove'], authentication: 'user' } as const;
const back = {
  return: Type.Optional(Type.String({ description: 'The page that needs the proof.', maxLength: 4_096 })),
};

/**
 * The pending sign-in of a user with a second factor: the password alone would prove less than the sign-in did.
 * Undefined for all other users.
 */
async function fullSignIn(
  context: Parameters<typeof givesFactor>[0],
  back: string,
): Promise<string | undefined> {
  return (await givesFactor(context))
    ? `/portal/login?${new URLSearchParams({ again: 'yes', return: back })}`
    : undefined;
}

const get = page({
  ...common,
  id: 'org/service/repository/portal/account/prove.get',
  summary: 'Ask for the password again.',
  method: 'GET',
  input: { query: Type.Object(back) },
  async perform(context) {
    const { input, caller, store } = context;
    const browser = context.browser as BrowserContext;
    const address = ownAddress(input.query.return, browser);
    const user = await store.users.find(caller.user.id);
    const provider = browser.signInButtons?.().find(({ id }) => id === user?.provider);
    if (provider !== undefined)
      return answer({ text: proveAtProviderPage(await userReader(context), { back: address, provider }) });
    const signIn = await fullSignIn(context, address);
    if (signIn !== undefined) return seeOther(signIn);
    return answer({ text: provePage(await userReader(context), { back: address }) });
  },
});

const post = page({
  ...common,
  id: 'org/service/repository/portal/account/prove.post',
  summary: 'Prove by the password who uses the browser.',
  method: 'POST',
  input: {
    body: form({
      ...back,
      password: Type.String({ minLength: 1, refusal: 'password_missing', description: 'The password.' }),
    }),
  },
  refusedHtml: refusedProof,
  prepare: ({ input: { body }, caller, passwords }) =>
    checkOwnPassword(passwords, caller.user.name, body.password),
  async perform(context) {
    const { browser, caller, confirm, input, prepared: verified, store } = context;
    const address = ownAddress(input.body.return, browser as NonNullable<typeof browser>);
    const signIn = await fullSignIn(context, address);
    if (signIn !== undefined) return seeOther(signIn);
    await verified.recordSuccess?.(store);
    const user = await confirm(verified);
    if (user?.id !== caller.user.id) return refuse('old_password_wrong', { reason: 'changed meanwhile' });
    const proof = proofCookie(browser as BrowserContext, ticketProved(context));
    return seeOther(address, { cookies: [proof] });
  },
});

/** The page where users enter their password again, before what needs a recent proof (specification, section 21). */
export default [get, post];
