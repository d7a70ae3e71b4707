import type { BrowserContext } from '../../../../core/browser-context.ts';
import type { ChangeEvent } from '../../../../core/domain/event.ts';
import { isRefusal } from '../../../../core/domain/refusal.ts';
import { typedRecoveryCode } from '../../../../core/domain/second-factor.ts';
import { answer } from '../../../../core/operation.ts';
import type { ShowRefused } from '../../../../core/representations/representation.ts';
import { Type } from '../../../../core/schema.ts';
import { html } from '../../../../faces/pages/html.ts';
import { pageText, type Reader } from '../../../../faces/pages/layout.ts';
import { page, seeOther } from '../../../../faces/pages/page.ts';
import { changeForm, faultSummary, lineField } from '../../../../faces/pages/parts/form.ts';
import { passkeyForm } from '../../../../faces/pages/parts/passkey-form.ts';
import { anyReader } from '../../../../faces/pages/reader.ts';
import { refusalPage, sentenceFor, withWait } from '../../../../faces/pages/refusal-page.ts';
import { otherOrigin, returnAddress } from '../../../../faces/pages/return-address.ts';
import { SECOND_STEP } from '../../../../faces/pages/sign-in.ts';
import type { JudgedCode } from '../../second-factor/second-factors.ts';
import { takesPasskeys } from '../passkeys/options.ts';
import { signInAfterFactor } from './after-factor.ts';
import { ONE_TIME_CODE } from './app-view.ts';
import { pendingSignIn, START } from './pending.ts';

/** Why a second factor was refused: a code, or a passkey, which has no field. */
interface RefusedFactor {
  readonly field?: 'code';
  readonly sentence: string;
}

/** The page that asks for the second factor of a pending sign-in. */
function secondStepPage(
  reader: Reader,
  {
    back,
    hasPasskey,
    fault,
  }: { readonly back: string; readonly hasPasskey: boolean; readonly fault?: RefusedFactor },
): string {
  const { say } = reader;
  const title = say('secondFactor.title');
  const field = lineField(reader, {
    name: 'code',
    label: say('secondFactor.code'),
    hint: say('secondFactor.codeHint'),
    autocomplete: ONE_TIME_CODE,
    isFocused: fault === undefined,
    fault: fault?.field && fault.sentence,
  });
  const hidden = { return: back, ...(hasPasskey && { passkeys: 'yes' }) };
  const passkey =
    hasPasskey &&
    passkeyForm(reader, {
      does: 'get',
      action: `${SECOND_STEP}/passkey`,
      optionsUrl: `${SECOND_STEP}/passkey-options`,
      hidden,
      submit: say('secondFactor.passkey'),
    });
  const form = changeForm(reader, {
    action: SECOND_STEP,
    fields: field,
    hidden,
    submit: say('secondFactor.submit'),
    cancel: START,
  });
  const body = html`<h1>${title}</h1>
${fault && faultSummary([fault])}
${passkey}
<p>${say('secondFactor.intro')}</p>
${form}
<p class="hint">${say('secondFactor.lost')}</p>`;
  return pageText(reader, { title, body, usesPasskeys: hasPasskey });
}

/** Refusals, besides a wrong code, after which the form is shown again. */
const TOLD_HERE: readonly string[] = ['hash_queue_full', 'codes_locked'];

/** The page after a refused code. */
export const refusedStep: ShowRefused = (refused) => {
  const reader = anyReader(refused);
  const isWrong = refused.refused === 'login_failed';
  if (!isWrong && !TOLD_HERE.includes(refused.refused)) return refusalPage(refused);
  const back = returnAddress(refused.form.return, refused);
  const isPasskey = refused.form.credential !== undefined;
  const wrong = reader.say(isPasskey ? 'passkey.refused' : 'secondFactor.wrong');
  const sentence = isWrong ? withWait(reader, wrong, refused.retryAfter) : sentenceFor(reader, refused);
  const fault: RefusedFactor = isPasskey ? { sentence } : { field: 'code', sentence };
  return {
    text: secondStepPage(reader, { back, hasPasskey: refused.form.passkeys === 'yes', fault }),
    formLeadsTo: otherOrigin(back),
  };
};

const get = page({
  id: 'org/service/repository/portal/second-factor/second-step.get',
  summary: 'Ask for the second factor of a sign-in.',
  method: 'GET',
  paths: ['/second-factor'],
  authentication: 'none',
  input: {},
  async perform({ browser, languageAmong, store }) {
    const own = browser as BrowserContext;
    const pending = pendingSignIn(own);
    if (pending === undefined) return seeOther(START);
    const { back, userId } = pending;
    const hasPasskey = takesPasskeys(own) && (await store.passkeys.ofUser(userId)).length > 0;
    const text = secondStepPage(anyReader({ browser, languageAmong }), { back, hasPasskey });
    return answer({ text, formLeadsTo: otherOrigin(back) });
  },
});

const usedCode = (user: string, { kind }: JudgedCode): ChangeEvent[] =>
  kind === 'recovery code' ? [{ kind: 'recovery-code-used', user }] : [];

const post = page({
  id: 'org/service/repository/portal/second-factor/second-step.post',
  summary: 'Give the second factor of a sign-in.',
  method: 'POST',
  paths: ['/second-factor'],
  authentication: 'none',
  takesPassword: 'body',
  input: {
    body: Type.Object({
      code: Type.String({ description: 'The code.' }),
      return: Type.Optional(Type.String({ description: 'Where to go after the sign-in.' })),
    }),
  },
  refusedHtml: refusedStep,
  async prepare({ browser, input: { body }, passwords }) {
    const own = browser as BrowserContext;
    const pending = pendingSignIn(own);
    if (pending === undefined) return undefined;
    const checked = await passwords.checkFactor<JudgedCode>(
      pending.name,
      (unit, { id }) => own.secondFactors.judge(unit, id, body.code),
      { wrong: 'wrong-code', code: typedRecoveryCode(body.code) === undefined ? 'guessable' : 'recovery' },
    );
    return isRefusal(checked) ? checked : { pending, ...checked };
  },
  async perform({ prepared, ...context }) {
    const own = context.browser as BrowserContext;
    if (prepared === undefined) return seeOther(START);
    const { pending, verified, judged } = prepared;
    return signInAfterFactor(context, {
      pending,
      verified,
      used: ({ name }) => usedCode(name, judged),
      spend: (unit) => own.secondFactors.spend(unit, pending.userId, judged),
      usedBefore: 'code used before',
    });
  },
});

/** The second step of a sign-in (specification, section 18). */
export default [get, post];
