import type { BrowserContext } from '../../../core/browser-context.ts';
import { isRefusal } from '../../../core/domain/refusal.ts';
import { Type } from '../../../core/schema.ts';
import { refusedNewPassword } from '../../../faces/pages/new-password-view.ts';
import { page } from '../../../faces/pages/page.ts';
import { oldAndNewPassword } from '../../../faces/pages/parts/password-form.ts';
import { returnAddress } from '../../../faces/pages/return-address.ts';
import { demandIn, signIn, signInNow } from '../../../faces/pages/sign-in.ts';
import { changeOwnPassword, prepareOwnPassword } from '../rules/own-password.ts';

/**
 * Changes the password of a user who may not sign in with the old one (specification, section 18), and signs in with the new one. A
 * user with a second factor gives it first: the old password alone changes nothing.
 */
export default page({
  id: 'org/service/repository/portal/new-password.post',
  summary: 'Choose a new password, and sign in with it.',
  method: 'POST',
  paths: ['/new-password'],
  authentication: 'none',
  takesPassword: 'body',
  input: {
    body: Type.Object({
      username: Type.String({ refusal: 'username_missing', description: 'User name.' }),
      ...oldAndNewPassword,
      return: Type.Optional(Type.String({ description: 'Where to go after the sign-in.' })),
    }),
  },
  refusedHtml: refusedNewPassword,
  prepare: ({ input: { body }, browser, passwords, passwordsElsewhere }) =>
    prepareOwnPassword(passwords, body.username, body, {
      passwordsElsewhere,
      mayChange: async (store, user, now) =>
        (await demandIn({ browser: browser as BrowserContext, store, now }, user)).asks !== 'factor',
    }),
  async perform({ input: { body }, prepared, ...context }) {
    const { verified, passwordHash } = prepared;
    const { browser, confirm, passwordPages, store } = context;
    const own = browser as BrowserContext;
    const user = await store.users.find(verified.userId);
    const demand = user && (await demandIn(context, user));
    if (!prepared.isWritten && demand?.asks === 'factor') return signIn(context, verified, body.return);
    const outcome = await changeOwnPassword(store, prepared, confirm, undefined, passwordPages);
    if (isRefusal(outcome)) return outcome;
    const { userId, generation, methods } = verified;
    const changed = { userId, generation: generation + 1, passwordHash, methods };
    const signedIn = await (demand?.asks === 'nothing'
      ? signInNow(context, changed, returnAddress(body.return, own))
      : signIn(context, changed, body.return));
    if (isRefusal(signedIn)) return signedIn;
    return { ...signedIn, changes: [...outcome.events, ...(signedIn.changes ?? [])] };
  },
});
