import { isRefusal, type Refusal } from '../../../domain/refusal.ts';
import { answer } from '../../../operation.ts';
import passwordPut from '../../../operations/admin/users/password.put.ts';
import userGet from '../../../operations/admin/users/user.get.ts';
import { html } from '../../html.ts';
import type { Reader } from '../../layout.ts';
import { form, type PageSent, page } from '../../page.ts';
import { changeForm, faultSummary } from '../../parts/form.ts';
import { sentenceOf } from '../../refusal-page.ts';
import { addressWith, userAddress } from '../addresses.ts';
import { changedThen, inConsole, isAboutPage, NAMED, refusedAgain } from '../change.ts';
import { consolePage } from '../layout.ts';
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
  const asked = changeForm(reader, {
    action: `${userAddress(name)}/password`,
    fields: passwordFields(reader, mustChange, 'field' in ofField ? sentence : undefined),
    ...{ submit: say('console.users.setPassword'), cancel: userAddress(name) },
  });
  return consolePage(reader, {
    ...{ title: say('console.users.passwordTitle', { name }), current: userAddress(name) },
    body: html`<div class="card narrow">${summary}<p>${say('console.users.passwordEnds', { name })}</p>${asked}</div>`,
  });
}

const common = {
  paths: ['/console/users/{name}/password'],
  authentication: 'admin',
  role: 'administrator',
} as const;

const get = page({
  ...common,
  id: 'org/service/repository/portal/console/users/password.get',
  summary: 'Show the form that sets the password of a user.',
  method: 'GET',
  access: 'read',
  input: { path: NAMED },
  async perform(context) {
    const { reader, run } = inConsole(context);
    const shown = await run(userGet, { path: { userName: context.input.path.name } });
    return isRefusal(shown) ? shown : answer(passwordPage(reader, shown.value.user.name));
  },
});

const post = page({
  ...common,
  id: 'org/service/repository/portal/console/users/password.post',
  summary: 'Set the password of a user.',
  method: 'POST',
  access: 'write',
  input: { path: NAMED, body: form(passwordMembers) },
  prepare: ({ input: { path, body }, passwords }) => preparePassword(passwords, path.name, body.password),
  async perform(context) {
    const { reader, run } = inConsole(context);
    const { path, body } = context.input;
    const { password, isMade, hash } = context.prepared;
    const mustChangePassword = body.mustChangePassword === 'true';
    const made = isRefusal(hash)
      ? hash
      : await run(
          passwordPut,
          { path: { userName: path.name }, body: { password, mustChangePassword } },
          hash,
        );
    if (isRefusal(made))
      return isAboutPage(made)
        ? made
        : refusedAgain(passwordPage(reader, path.name, mustChangePassword, made));
    if (!isMade) return changedThen(addressWith(userAddress(path.name), { done: 'password' }), made);
    return { ...answer(madePasswordPage(reader, path.name, password)), changes: made.changes };
  },
});

/** The form that sets the password of a user. */
export default [get, post];
