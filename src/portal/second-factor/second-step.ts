import type { BrowserContext } from '../../browser-context.ts';
import type { ChangeEvent } from '../../domain/event.ts';
import { isRefusal, refuse } from '../../domain/refusal.ts';
import { answer } from '../../operation.ts';
import type { ShowRefused } from '../../representations/representation.ts';
import { Type } from '../../schema.ts';
import type { JudgedCode } from '../../second-factor/second-factors.ts';
import { html } from '../html.ts';
import { pageText, type Reader } from '../layout.ts';
import { newPasswordPage } from '../new-password-view.ts';
import { page, seeOther } from '../page.ts';
import { changeForm, faultSummary, lineField } from '../parts/form.ts';
import { anyReader } from '../reader.ts';
import { refusalPage, sentenceFor, withWait } from '../refusal-page.ts';
import { otherOrigin, returnAddress } from '../return-address.ts';
import { SECOND_STEP, signInNow } from '../sign-in.ts';
import { ONE_TIME_CODE } from './app-view.ts';
import { pendingCookie, pendingSignIn, START } from './pending.ts';

/** The page that asks for the second factor of a pending sign-in. */
function secondStepPage(
  reader: Reader,
  { back, fault }: { readonly back: string; readonly fault?: string },
): string {
  const { say } = reader;
  const title = say('secondFactor.title');
  const field = lineField(reader, {
    ...{ name: 'code', label: say('secondFactor.code'), hint: say('secondFactor.codeHint') },
    ...{ autocomplete: ONE_TIME_CODE, isFocused: fault === undefined, fault },
  });
  const form = changeForm(reader, {
    ...{ action: SECOND_STEP, fields: field, hidden: { return: back }, submit: say('secondFactor.submit') },
    cancel: START,
  });
  const body = html`<h1>${title}</h1>
${fault !== undefined && faultSummary([{ field: 'code', sentence: fault }])}
<p>${say('secondFactor.intro')}</p>
${form}
<p class="hint">${say('secondFactor.lost')}</p>`;
  return pageText(reader, { title, body });
}

/** The page after a refused code. */
const refusedStep: ShowRefused = (refused) => {
  const reader = anyReader(refused);
  const isWrong = refused.refused === 'login_failed';
  if (!isWrong && refused.refused !== 'hash_queue_full') return refusalPage(refused);
  const back = returnAddress(refused.form.return, refused);
  const fault = isWrong
    ? withWait(reader, reader.say('secondFactor.wrong'), refused.retryAfter)
    : sentenceFor(reader, refused);
  return { text: secondStepPage(reader, { back, fault }), formLeadsTo: otherOrigin(back) };
};

const get = page({
  id: 'org/service/repository/portal/second-factor/second-step.get',
  summary: 'Ask for the second factor of a sign-in.',
  method: 'GET',
  paths: ['/second-factor'],
  authentication: 'none',
  access: 'read',
  input: {},
  perform({ browser, languageAmong }) {
    const pending = pendingSignIn(browser as BrowserContext);
    if (pending === undefined) return seeOther(START);
    const { back } = pending;
    const text = secondStepPage(anyReader({ languageAmong }), { back });
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
  access: 'write',
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
    const checked = await passwords.checkFactor(pending.name, (unit, { id }) =>
      own.secondFactors.judge(unit, id, body.code),
    );
    return isRefusal(checked) ? checked : { pending, ...checked };
  },
  async perform({ prepared, ...context }) {
    const own = context.browser as BrowserContext;
    if (prepared === undefined) return seeOther(START);
    const { pending, verified, judged } = prepared;
    const user = await context.confirm(verified);
    // After a new password, or for another user of the name, the sign-in begins again.
    if (user?.id !== pending.userId || user.generation !== pending.generation) return seeOther(START);
    if (!(await own.secondFactors.spend(context.store, user.id, judged)))
      return refuse('login_failed', { reason: 'code used before', user: user.name });
    const used = usedCode(user.name, judged);
    const signedIn = await signInNow(context, verified, pending.back);
    if (!isRefusal(signedIn)) return { ...signedIn, changes: [...used, ...(signedIn.changes ?? [])] };
    if (signedIn.refused !== 'new_password_needed') return signedIn;
    const sent = newPasswordPage(anyReader(context), { username: user.name, back: pending.back });
    const cookie = pendingCookie(own, user, { back: pending.back, hasGivenFactor: true });
    return answer(sent, { cookies: [cookie], changes: used });
  },
});

/** The second step of a sign-in (`people.md` section 18). */
export default [get, post];
