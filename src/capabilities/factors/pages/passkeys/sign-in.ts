import type { BrowserContext } from '../../../../core/browser-context.ts';
import { isNewUse, type Passkey } from '../../../../core/domain/passkey.ts';
import { isRefusal, refuse } from '../../../../core/domain/refusal.ts';
import type { User } from '../../../../core/domain/user.ts';
import {
  type AnyOperation,
  answer,
  type InputSchemas,
  type Preparation,
} from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import type { ReadUnit, WriteUnit } from '../../../../core/storage/store.ts';
import { refusedSignIn } from '../../../../faces/pages/login-view.ts';
import { page, seeOther } from '../../../../faces/pages/page.ts';
import { returnAddress } from '../../../../faces/pages/return-address.ts';
import { readAssertion } from '../../passkeys/answer.ts';
import {
  type Ceremony,
  newChallenge,
  type OpenedChallenge,
  openChallenge,
} from '../../passkeys/challenge.ts';
import { requestOptions } from '../../passkeys/options.ts';
import { type PasskeyProof, verifiedAssertion } from '../../passkeys/verification.ts';
import { signInAfterFactor } from '../second-factor/after-factor.ts';
import { pendingSignIn, START } from '../second-factor/pending.ts';
import { refusedStep } from '../second-factor/second-step.ts';
import { optionsForScript, partyOf, takesPasskeys } from './options.ts';

/** The browser of a page before its transaction. */
type PageBrowser = NonNullable<Preparation<InputSchemas, 'none'>['browser']>;

const ALONE: Ceremony = 'passkey sign-in';
const SECOND: Ceremony = 'passkey second step';

/** Reasons of refused passkeys, for the events. */
const WRONG = 'wrong-passkey';
const USED_BEFORE = 'passkey answered before';

/** A passkey that was accepted. The unit that relies on it writes the use. */
type UsedPasskey = Pick<Passkey, 'credentialId' | 'signCount' | 'challengeAt'>;

/** What was verified of an answer. */
interface Answered {
  readonly ceremony: Ceremony;
  readonly opened: OpenedChallenge;
  readonly proof: PasskeyProof;
}

/** Judges a verified answer: the use of the passkey, or why it is refused. */
function judged(user: User, passkey: Passkey, { ceremony, opened, proof }: Answered) {
  const isAlone = ceremony === ALONE;
  const use = { signCount: proof.signCount, challengeAt: opened.at };
  if (isAlone && !proof.userVerified) return { wrong: 'passkey without a check of its user' };
  if (isAlone && user.provider !== undefined) return { wrong: 'passkey of a user of a provider' };
  if (use.challengeAt <= passkey.challengeAt) return { wrong: USED_BEFORE };
  if (isNewUse(passkey, use)) return { credentialId: passkey.credentialId, ...use };
  return { wrong: 'passkey counts backwards' };
}

/** Makes the judge of the answer of an authenticator. The user has to be the owner of the passkey. */
function judgeOf(browser: PageBrowser, ceremony: Ceremony, assertion: AskedPasskey) {
  const opened = assertion.answer && openChallenge(browser, ceremony, assertion.answer.challenge);
  return async (unit: ReadUnit, user: User): Promise<UsedPasskey | { wrong: string } | undefined> => {
    const passkey = await unit.passkeys.find(assertion.credentialId);
    if (assertion.answer === undefined || opened === undefined || passkey?.userId !== user.id)
      return undefined;
    // Without a name, only the user handle says that the passkey is meant for this user (WebAuthn section 7.2, step 6).
    const handle = assertion.answer.response.response.userHandle;
    if (ceremony === ALONE ? handle === undefined : opened.userId !== user.id) return undefined;
    const proof = await verifiedAssertion(assertion.answer, passkey, partyOf(browser));
    return proof && judged(user, passkey, { ceremony, opened, proof });
  };
}

/** The answer of an authenticator, and the credential id in it. An answer that cannot be read has an empty one. */
interface AskedPasskey {
  readonly answer: ReturnType<typeof readAssertion>;
  readonly credentialId: Buffer;
}

function askedIn(credential: string): AskedPasskey {
  const answer = readAssertion(credential);
  return { answer, credentialId: Buffer.from(answer?.response.id ?? '', 'base64url') };
}

/** No user has a name with a line break: attempts with it count for the address alone. */
const NO_USER = 'unknown\npasskey ';

/** The name of the user to whom the passkey belongs. */
async function ownerName(unit: ReadUnit, { credentialId }: AskedPasskey): Promise<string> {
  const passkey = await unit.passkeys.find(credentialId);
  const user = passkey && (await unit.users.find(passkey.userId));
  return user?.name ?? NO_USER + credentialId.toString('base64url').slice(0, 16);
}

/** The use of a passkey in the unit that signs its user in. It has no event of its own beside that of the ticket. */
const useOf = ({ credentialId, ...used }: UsedPasskey, now: number) => ({
  spend: (unit: WriteUnit) => unit.passkeys.use(credentialId, { ...used, usedAt: now }),
  usedBefore: USED_BEFORE,
  used: () => [],
});

const credential = Type.String({ description: 'The answer of the authenticator.' });
const returns = {
  return: Type.Optional(Type.String({ description: 'Where to go after the sign-in.' })),
};

const aloneOptions = optionsForScript({
  id: 'org/service/repository/portal/passkeys/sign-in-options.post',
  summary: 'Give what a browser needs to ask for a passkey.',
  paths: ['/login/passkey-options'],
  authentication: 'none',
  access: 'read',
  input: {},
  perform({ browser, now }) {
    const own = browser as BrowserContext;
    if (!takesPasskeys(own)) return refuse('path_unknown');
    const { challenge, cookies } = newChallenge(own, ALONE, { at: now });
    return answer(requestOptions(partyOf(own), challenge, undefined), { cookies });
  },
});

const alone = page({
  id: 'org/service/repository/portal/passkeys/sign-in.post',
  summary: 'Sign in with a passkey alone.',
  method: 'POST',
  paths: ['/login/passkey'],
  authentication: 'none',
  takesPassword: 'body',
  input: { body: Type.Object({ credential, ...returns }) },
  refusedHtml: refusedSignIn,
  async prepare({ browser, input: { body }, passwords }) {
    const own = browser as PageBrowser;
    if (!takesPasskeys(own)) return refuse('path_unknown');
    const assertion = askedIn(body.credential);
    const judge = judgeOf(own, ALONE, assertion);
    return passwords.checkFactor<UsedPasskey>((unit) => ownerName(unit, assertion), judge, { wrong: WRONG });
  },
  perform({ prepared: { verified, judged: passkey }, ...context }) {
    const back = returnAddress(context.input.body.return, context.browser as BrowserContext);
    const { userId, generation } = verified;
    const pending = { userId, generation, methods: [], back };
    return signInAfterFactor(context, { pending, verified, ...useOf(passkey, context.now) });
  },
});

const stepOptions = optionsForScript({
  id: 'org/service/repository/portal/passkeys/second-step-options.post',
  summary: 'Give what a browser needs to ask for a passkey of the user who is signing in.',
  paths: ['/second-factor/passkey-options'],
  authentication: 'none',
  access: 'read',
  input: {},
  async perform({ browser, now, store }) {
    const own = browser as BrowserContext;
    const pending = pendingSignIn(own);
    if (pending === undefined || !takesPasskeys(own)) return refuse('path_unknown');
    const passkeys = await store.passkeys.ofUser(pending.userId);
    const { challenge, cookies } = newChallenge(own, SECOND, { at: now, userId: pending.userId });
    return answer(requestOptions(partyOf(own), challenge, passkeys), { cookies });
  },
});

const step = page({
  id: 'org/service/repository/portal/passkeys/second-step.post',
  summary: 'Give a passkey as the second factor of a sign-in.',
  method: 'POST',
  paths: ['/second-factor/passkey'],
  authentication: 'none',
  takesPassword: 'body',
  input: { body: Type.Object({ credential, ...returns }) },
  refusedHtml: refusedStep,
  async prepare({ browser, input: { body }, passwords }) {
    const own = browser as BrowserContext;
    const pending = pendingSignIn(own);
    if (pending === undefined || !takesPasskeys(own)) return undefined;
    const judge = judgeOf(own, SECOND, askedIn(body.credential));
    const checked = await passwords.checkFactor<UsedPasskey>(pending.name, judge, { wrong: WRONG });
    return isRefusal(checked) ? checked : { pending, ...checked };
  },
  perform({ prepared, ...context }) {
    if (prepared === undefined) return seeOther(START);
    const { pending, verified, judged: passkey } = prepared;
    return signInAfterFactor(context, { pending, verified, ...useOf(passkey, context.now) });
  },
});

/** The sign-in with a passkey alone, and with one after the password (specification, section 21). */
export const PASSKEY_SIGN_INS: readonly AnyOperation[] = [aloneOptions, alone, stepOptions, step];
