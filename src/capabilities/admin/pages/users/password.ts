import { isRefusal, type Refusal } from '../../../../core/domain/refusal.ts';
import { answer } from '../../../../core/operation.ts';
import { addressWith, userAddress } from '../../../../faces/pages/console/addresses.ts';
import {
  changedThen,
  inConsole,
  isAboutPage,
  NAMED,
  refusedAgain,
} from '../../../../faces/pages/console/change.ts';
import { consolePage } from '../../../../faces/pages/console/layout.ts';
import { html } from '../../../../faces/pages/html.ts';
import type { Reader } from '../../../../faces/pages/layout.ts';
import { form, type PageSent, page } from '../../../../faces/pages/page.ts';
import { changeForm, faultSummary } from '../../../../faces/pages/parts/form.ts';
import { sentenceOf } from '../../../../faces/pages/refusal-page.ts';
import passwordPut from '../../../people/operations/admin/users/password.put.ts';
import userGet from '../../../people/operations/admin/users/user.get.ts';
import {
  isAboutPassword,
  madePasswordPage,
  passwordFields,
  passwordMembers,
  preparePassword,
} from './new-password.ts';

function passwordPage(reader: Reader, name: string, mustChange = true, refused?: Refusal): PageSent {
  const { say } = reader;
  const sentence = refused && sentenceOf(reader, refused);
  const ofField = refused && isAboutPassword(refused) ? { field: 'password' } : {};
  const summary = sentence !== undefined && faultSummary([{ ...ofField, sentence }]);
  const question = changeForm(reader, {
    action: `${userAddress(name)}/password`,
    fields: passwordFields(reader, mustChange, 'field' in ofField ? sentence : undefined),
    submit: say('console.users.setPassword'),
    cancel: userAddress(name),
  });
  return consolePage(reader, {
    title: say('console.users.passwordTitle', { name }),
    current: userAddress(name),
    body: html`<div class="card narrow">${summary}<p>${say('console.users.passwordEnds', { name })}</p>${question}</div>`,
  });
}

const common = { paths: ['/console/users/{name}/password'], role: 'administrator' } as const;

const get = page({
  ...common,
  id: 'org/service/repository/portal/console/users/password.get',
  summary: 'Show the form that sets the password of a user.',
  method: 'GET',
  input: { path: NAMED },
  async perform(context) {
    const { reader, run } = inConsole(context);
    const view = await run(userGet, { path: { userName: context.input.path.name } });
    return isRefusal(view) ? view : answer(passwordPage(reader, view.value.user.name));
  },
});

const post = page({
  ...common,
  id: 'org/service/repository/portal/console/users/password.post',
  summary: 'Set the password of a user.',
  method: 'POST',
  input: { path: NAMED, body: form(passwordMembers) },
  prepare: ({ input: { path, body }, passwords }) => preparePassword(passwords, path.name, body.password),
  async perform(context) {
    const { reader, run } = inConsole(context);
    const { path, body } = context.input;
    const { password, isMade, hash } = context.prepared;
    const mustChangePassword = body.mustChangePassword === 'true';
    const outcome = isRefusal(hash)
      ? hash
      : await run(
          passwordPut,
          { path: { userName: path.name }, body: { password, mustChangePassword } },
          hash,
        );
    if (isRefusal(outcome))
      return isAboutPage(outcome)
        ? outcome
        : refusedAgain(passwordPage(reader, path.name, mustChangePassword, outcome));
    if (!isMade) return changedThen(addressWith(userAddress(path.name), { done: 'password' }), outcome);
    const signIn = { origin: context.browser?.origin ?? '', mustChange: mustChangePassword };
    return { ...answer(madePasswordPage(reader, path.name, password, signIn)), changes: outcome.changes };
  },
});

/** The form that sets the password of a user. */
export default [get, post];
