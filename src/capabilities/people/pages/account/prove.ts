import type { BrowserContext } from '../../../../core/browser-context.ts';
import { refuse } from '../../../../core/domain/refusal.ts';
import { answer } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { form, page, seeOther } from '../../../../faces/pages/page.ts';
import { givesFactor, proofCookie, ticketProved } from '../../../../faces/pages/proof.ts';
import { userReader } from '../../../../faces/pages/reader.ts';
import { ownAddress } from '../../../../faces/pages/return-address.ts';
import { checkOwnPassword } from '../../rules/own-password.ts';
import { proveAtProviderPage, provePage, refusedProof } from './prove-view.ts';

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
  access: 'read',
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
  access: 'write',
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
