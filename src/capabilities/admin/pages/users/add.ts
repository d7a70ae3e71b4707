import { isRefusal, type Refusal } from '../../../../core/domain/refusal.ts';
import { answer } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { addressWith, userAddress } from '../../../../faces/pages/console/addresses.ts';
import { changedThen, inConsole, refusedAgain } from '../../../../faces/pages/console/change.ts';
import { consolePage } from '../../../../faces/pages/console/layout.ts';
import { html } from '../../../../faces/pages/html.ts';
import { keptForm } from '../../../../faces/pages/kept-form.ts';
import type { Reader } from '../../../../faces/pages/layout.ts';
import { form, type PageSent, page } from '../../../../faces/pages/page.ts';
import { changeForm, faultSummary, lineField } from '../../../../faces/pages/parts/form.ts';
import { sentenceOf } from '../../../../faces/pages/refusal-page.ts';
import usersPost from '../../../people/operations/admin/users/users.post.ts';
import { profileFields, profileIn, roleField, roleIn, type UserFields, userMembers } from './form-view.ts';
import {
  isAboutPassword,
  madePasswordPage,
  passwordFields,
  passwordMembers,
  preparePassword,
} from './new-password.ts';

const USERS = '/portal/console/users';
const ADD = '/portal/console/add-user';

/** The field that a refusal is about, if it is about one. */
function fieldOf(refused: Refusal): { readonly field?: string } {
  if (isAboutPassword(refused)) return { field: 'password' };
  return refused.refused === 'name_taken' ? { field: 'userName' } : {};
}

function addPage(reader: Reader, values: UserFields, refused?: Refusal): PageSent {
  const { say } = reader;
  const sentence = refused && sentenceOf(reader, refused);
  const { field } = refused ? fieldOf(refused) : {};
  const faultOf = (name: string) => (field === name ? sentence : undefined);
  const name = lineField(reader, {
    name: 'userName',
    label: say('console.users.name'),
    hint: say('console.users.nameHint'),
    value: values.userName,
    autocomplete: 'off',
    isFocused: true,
    fault: faultOf('userName'),
  });
  const fields = html`${name}${passwordFields(reader, values.mustChangePassword === 'true', faultOf('password'))}
${profileFields(reader, values)}${roleField(reader, values.role)}`;
  const question = changeForm(reader, {
    action: ADD,
    isKept: true,
    fields,
    submit: say('console.users.add'),
    cancel: USERS,
  });
  const fault = sentence === undefined ? undefined : { sentence, ...(field !== undefined && { field }) };
  return consolePage(reader, {
    title: say('console.users.add'),
    current: '/portal/console/users/',
    body: html`<div class="card">${fault && faultSummary([fault])}${question}</div>`,
  });
}

const common = { paths: ['/console/add-user'], role: 'administrator' } as const;

const get = page({
  ...common,
  id: 'org/service/repository/portal/console/users/add.get',
  summary: 'Show the form that adds a user.',
  method: 'GET',
  input: {},
  perform(context) {
    const keptFields = keptForm(inConsole(context).reader, context, ADD, { hasPassword: true });
    return answer(
      addPage(keptFields.reader, keptFields.values ?? { mustChangePassword: 'true' }),
      keptFields.booked,
    );
  },
});

const post = page({
  ...common,
  id: 'org/service/repository/portal/console/users/add.post',
  summary: 'Add a user.',
  method: 'POST',
  input: { body: form({ userName: Type.Optional(Type.String()), ...passwordMembers, ...userMembers }) },
  keepsFields: ['userName', 'mustChangePassword', ...Object.keys(userMembers)],
  prepare: ({ input: { body }, passwords }) => preparePassword(passwords, body.userName ?? '', body.password),
  async perform(context) {
    const { reader, run } = inConsole(context);
    const { body } = context.input;
    const { password, isMade, hash } = context.prepared;
    const { userName = '' } = body;
    const role = body.role === 'none' ? {} : roleIn(body);
    const mustChangePassword = body.mustChangePassword === 'true';
    const user = { userName: userName.trim(), password, mustChangePassword, ...role, ...profileIn(body) };
    const outcome = isRefusal(hash) ? hash : await run(usersPost, { body: user as never }, hash);
    if (isRefusal(outcome)) return refusedAgain(addPage(reader, body, outcome));
    const { name } = outcome.value.user;
    if (!isMade) return changedThen(addressWith(userAddress(name), { done: 'added' }), outcome);
    const signIn = { origin: context.browser?.origin ?? '', mustChange: mustChangePassword };
    return { ...answer(madePasswordPage(reader, name, password, signIn)), changes: outcome.changes };
  },
});

/** The form that adds a user. */
export default [get, post];
