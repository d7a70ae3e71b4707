import { isRefusal } from '../../../domain/refusal.ts';
import { answer } from '../../../operation.ts';
import userGet from '../../../operations/admin/users/user.get.ts';
import userPatch from '../../../operations/admin/users/user.patch.ts';
import { html } from '../../html.ts';
import type { Reader } from '../../layout.ts';
import { form, type PageSent, page } from '../../page.ts';
import { changeForm, faultSummary } from '../../parts/form.ts';
import { sentenceOf } from '../../refusal-page.ts';
import { addressWith, userAddress } from '../addresses.ts';
import { changedThen, inConsole, isAboutPage, NAMED, refusedAgain } from '../change.ts';
import { consolePage } from '../layout.ts';
import { profileFields, profileIn, roleField, roleIn, type UserFields, userMembers } from './form-view.ts';

function editPage(reader: Reader, name: string, given: UserFields, fault?: string): PageSent {
  const { say } = reader;
  const edited = changeForm(reader, {
    action: `${userAddress(name)}/edit`,
    fields: html`${profileFields(reader, given)}${roleField(reader, given.role)}`,
    ...{ submit: say('console.save'), cancel: userAddress(name) },
  });
  return consolePage(reader, {
    ...{ title: say('console.users.editTitle', { name }), current: userAddress(name) },
    body: html`<div class="card">${fault && faultSummary([{ sentence: fault }])}${edited}</div>`,
  });
}

const common = {
  paths: ['/console/users/{name}/edit'],
  authentication: 'admin',
  role: 'administrator',
} as const;

const get = page({
  ...common,
  id: 'org/service/repository/portal/console/users/edit.get',
  summary: 'Show the form that changes a user.',
  method: 'GET',
  access: 'read',
  input: { path: NAMED },
  async perform(context) {
    const { reader, run } = inConsole(context);
    const shown = await run(userGet, { path: { userName: context.input.path.name } });
    if (isRefusal(shown)) return shown;
    const { user, profile, ownRole = 'none' } = shown.value;
    return answer(editPage(reader, user.name, { ...profile, role: ownRole }));
  },
});

const post = page({
  ...common,
  id: 'org/service/repository/portal/console/users/edit.post',
  summary: 'Change the profile and the role of a user.',
  method: 'POST',
  access: 'write',
  input: { path: NAMED, body: form(userMembers) },
  async perform(context) {
    const { reader, run } = inConsole(context);
    const { path, body } = context.input;
    const made = await run(userPatch, {
      path: { userName: path.name },
      body: { ...profileIn(body), ...roleIn(body) },
    });
    if (!isRefusal(made)) return changedThen(addressWith(userAddress(path.name), { done: 'changed' }), made);
    if (isAboutPage(made)) return made;
    return refusedAgain(editPage(reader, path.name, body, sentenceOf(reader, made)));
  },
});

/** The form that changes the profile and the role of a user. */
export default [get, post];
