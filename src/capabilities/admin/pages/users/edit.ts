import { isRefusal } from '../../../../core/domain/refusal.ts';
import { answer } from '../../../../core/operation.ts';
import { addressWith, userAddress } from '../../../../faces/pages/console/addresses.ts';
import {
  changedAgain,
  changedThen,
  inConsole,
  isAboutPage,
  NAMED,
  refusedAgain,
} from '../../../../faces/pages/console/change.ts';
import { consolePage } from '../../../../faces/pages/console/layout.ts';
import { hiddenState, stateIn, stateMember } from '../../../../faces/pages/console/meanwhile.ts';
import { html } from '../../../../faces/pages/html.ts';
import { keptForm } from '../../../../faces/pages/kept-form.ts';
import type { Reader } from '../../../../faces/pages/layout.ts';
import { form, type PageSent, page } from '../../../../faces/pages/page.ts';
import { changeForm, faultSummary } from '../../../../faces/pages/parts/form.ts';
import { sentenceOf } from '../../../../faces/pages/refusal-page.ts';
import userGet from '../../../people/operations/admin/users/user.get.ts';
import userPatch from '../../../people/operations/admin/users/user.patch.ts';
import { editedState, USER_STATE } from '../../../people/pages/console/user-state.ts';
import type { UserShown } from '../../../people/representations/admin/user.ts';
import { type MergedForm, mergedForm, mergedSummary, sentValues } from '../merged.ts';
import { profileFields, profileIn, roleField, roleIn, type UserFields, userMembers } from './form-view.ts';

const editAddress = (name: string) => `${userAddress(name)}/edit`;

/** The form, and why it is shown again: a fault, or what somebody else has changed since it was shown. */
function editPage(
  reader: Reader,
  view: UserShown,
  values: UserFields,
  again: { readonly fault?: string; readonly merged?: MergedForm } = {},
): PageSent {
  const { say } = reader;
  const { name } = view.user;
  const { fault, merged } = again;
  const faults = merged?.faults ?? {};
  const edited = changeForm(reader, {
    action: editAddress(name),
    isKept: true,
    hidden: hiddenState(editedState(view), values),
    fields: html`${profileFields(reader, values, faults)}${roleField(reader, values.role, faults.role)}`,
    submit: say('console.save'),
    cancel: userAddress(name),
  });
  return consolePage(reader, {
    title: say('console.users.editTitle', { name }),
    current: userAddress(name),
    body: html`<div class="card">${fault && faultSummary([{ sentence: fault }])}${merged && mergedSummary(reader, name, merged)}${edited}</div>`,
  });
}

const members = { ...userMembers, ...stateMember };

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
  input: { path: NAMED },
  async perform(context) {
    const { reader, run } = inConsole(context);
    const view = await run(userGet, { path: { userName: context.input.path.name } });
    if (isRefusal(view)) return view;
    const keptFields = keptForm(reader, context, editAddress(view.value.user.name));
    return answer(
      editPage(keptFields.reader, view.value, keptFields.values ?? editedState(view.value)),
      keptFields.booked,
    );
  },
});

const post = page({
  ...common,
  id: 'org/service/repository/portal/console/users/edit.post',
  summary: 'Change the profile and the role of a user.',
  method: 'POST',
  input: { path: NAMED, body: form(members) },
  keepsFields: Object.keys(members),
  async perform(context) {
    const { reader, run } = inConsole(context);
    const { body } = context.input;
    const path = { userName: context.input.path.name };
    const view = await run(userGet, { path });
    if (isRefusal(view)) return view;
    const { was: _, formToken, formOwner, ...sent } = body;
    const was = stateIn(body);
    const merged = mergedForm(reader, USER_STATE, { sent, was, now: editedState(view.value) });
    if (merged !== undefined) return changedAgain(editPage(reader, view.value, merged.values, { merged }));
    const values = sentValues(sent, was);
    const outcome = await run(userPatch, { path, body: { ...profileIn(values), ...roleIn(values) } });
    if (!isRefusal(outcome))
      return changedThen(addressWith(userAddress(path.userName), { done: 'changed' }), outcome);
    if (isAboutPage(outcome)) return outcome;
    return refusedAgain(editPage(reader, view.value, values, { fault: sentenceOf(reader, outcome) }));
  },
});

/** The form that changes the profile and the role of a user. */
export default [get, post];
