import type { BrowserContext } from '../../../../core/browser-context.ts';
import { refuse } from '../../../../core/domain/refusal.ts';
import type { User } from '../../../../core/domain/user.ts';
import type { Verified } from '../../../../core/identity/passwords.ts';
import { type AnyOperation, answer } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import type { WriteUnit } from '../../../../core/storage/store.ts';
import { page, seeOther } from '../../../../faces/pages/page.ts';
import { anyReader } from '../../../../faces/pages/reader.ts';
import { newChallenge } from '../../passkeys/challenge.ts';
import { creationOptions } from '../../passkeys/options.ts';
import { addPasskey } from '../../rules/passkeys.ts';
import { firstRecoveryCodes } from '../second-factor/app.ts';
import { START } from '../second-factor/pending.ts';
import { registrationPage, signInRegistered, waitingUser } from '../second-factor/register.ts';
import { type AnsweredPasskey, newPasskeyIn, REGISTERS } from './new-passkey.ts';
import { newUserHandle, optionsForScript, partyOf, takesPasskeys } from './options.ts';

const PATH = '/second-factor/register/passkey';

const options = optionsForScript({
  id: 'org/service/repository/portal/passkeys/register-options.post',
  summary: 'Give what a browser needs to make the passkey that a sign-in requires.',
  paths: [`${PATH}-options`],
  authentication: 'none',
  access: 'read',
  input: {},
  async perform({ browser, now, store }) {
    const own = browser as BrowserContext;
    const waiting = await waitingUser(store, own, now);
    if (waiting === undefined || !takesPasskeys(own)) return refuse('path_unknown');
    const { id: userId, name } = waiting.user;
    const userHandle = newUserHandle();
    const { challenge, cookies } = newChallenge(own, REGISTERS, { at: now, userId, userHandle });
    const named = { userHandle, name, displayName: name };
    return answer(creationOptions(partyOf(own), named, challenge, []), { cookies });
  },
});

/** Keeps the passkey of a user who had none. Undefined if the authenticator's answer is not for this user, or is known already. */
async function keepPasskey(
  unit: WriteUnit,
  user: User,
  registration: AnsweredPasskey | undefined,
  { name, now }: { readonly name: string; readonly now: number },
) {
  if (registration?.userHandle === undefined || registration.userId !== user.id) return undefined;
  const { at, userHandle, userId, ...credential } = registration;
  const times = { madeAt: now, usedAt: undefined, challengeAt: at };
  const handle = Buffer.from(userHandle, 'base64url');
  const added = await addPasskey(unit, user, { ...credential, ...times, userId, name, userHandle: handle });
  if ('fault' in added) return undefined;
  const { events, codes } = await firstRecoveryCodes(unit, user);
  return { events: [...added.events, ...events], codes };
}

const post = page({
  id: 'org/service/repository/portal/passkeys/register.post',
  summary: 'Make the passkey that a sign-in requires, and sign in.',
  method: 'POST',
  paths: [PATH],
  authentication: 'none',
  takesPassword: 'body',
  input: {
    body: Type.Object({ credential: Type.String({ description: 'The answer of the authenticator.' }) }),
  },
  prepare: ({ browser, input: { body } }) => newPasskeyIn(browser as BrowserContext, body.credential),
  async perform(context) {
    const { browser, now, prepared, store } = context;
    const own = browser as BrowserContext;
    const reader = anyReader(context);
    const waiting = await waitingUser(store, own, now);
    if (waiting === undefined) return seeOther(START);
    const { user } = waiting;
    const { id: userId, generation, passwordHash } = user;
    const methods: Verified['methods'] = [...waiting.methods, 'pop'];
    const verified = { userId, generation, passwordHash, methods };
    if ((await context.confirm(verified)) === undefined) return refuse('login_failed', { user: user.name });
    const stored = await keepPasskey(store, user, prepared, { name: reader.say('passkeys.suggested'), now });
    if (stored !== undefined) return signInRegistered(context, waiting, verified, stored);
    const passkeyFault = reader.say('passkeys.faultRefused');
    return answer(await registrationPage(reader, own, waiting, { passkeyFault }), { status: 422 });
  },
});

/** The passkey that a user makes before a sign-in that requires a second factor (specification, section 21). */
export const PASSKEY_REGISTRATIONS: readonly AnyOperation[] = [options, post];
