import { isRefusal, type Refusal } from '../../../../core/domain/refusal.ts';
import { answer } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { addressWith, groupAddress } from '../../../../faces/pages/console/addresses.ts';
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
import { changeForm, faultSummary, lineField } from '../../../../faces/pages/parts/form.ts';
import { sentenceOf } from '../../../../faces/pages/refusal-page.ts';
import groupGet from '../../../people/operations/admin/groups/group.get.ts';
import groupPatch from '../../../people/operations/admin/groups/group.patch.ts';
import groupsPost from '../../../people/operations/admin/groups/groups.post.ts';
import type { GroupShown } from '../../../people/representations/admin/group.ts';
import { type MergedForm, mergedForm, mergedSummary, sentValues } from '../merged.ts';
import { roleField, roleIn } from '../users/form-view.ts';
import { editedGroupState, GROUP_STATE } from './state.ts';

const GROUPS = '/portal/console/groups';
const ADD_GROUP = '/portal/console/add-group';
const editAddress = (name: string) => `${groupAddress(name)}/edit`;

const text = Type.Optional(Type.String());
const addMembers = { name: text, displayName: text, role: text };
const editMembers = { displayName: text, role: text, ...stateMember };

/** The values in a form about a group. */
type GroupFields = Readonly<Partial<Record<keyof typeof addMembers | keyof typeof stateMember, string>>>;

function titleField({ say }: Reader, value: string | undefined, isOptional: boolean, fault?: string) {
  const hint = say('console.groups.displayNameHint');
  return { name: 'displayName', label: say('console.groups.displayName'), value, hint, isOptional, fault };
}

function addPage(reader: Reader, values: GroupFields, refused?: Refusal): PageSent {
  const { say } = reader;
  const sentence = refused && sentenceOf(reader, refused);
  const isAboutName = refused?.refused === 'name_taken';
  const name = lineField(reader, {
    name: 'name',
    label: say('console.groups.name'),
    value: values.name,
    isFocused: true,
    hint: say('console.groups.nameHint'),
    fault: isAboutName ? sentence : undefined,
  });
  const title = lineField(reader, titleField(reader, values.displayName, true));
  const question = changeForm(reader, {
    action: ADD_GROUP,
    isKept: true,
    fields: html`${name}${title}${roleField(reader, values.role)}`,
    submit: say('console.groups.add'),
    cancel: GROUPS,
  });
  const fault = sentence && faultSummary([{ sentence, ...(isAboutName && { field: 'name' }) }]);
  return consolePage(reader, {
    title: say('console.groups.add'),
    current: `${GROUPS}/`,
    body: html`<div class="card narrow">${fault}${question}</div>`,
  });
}

/** The form, and why it is shown again: a refusal, or what somebody else has changed since it was shown. */
function editPage(
  reader: Reader,
  view: GroupShown,
  values: GroupFields,
  again: { readonly refused?: Refusal; readonly merged?: MergedForm } = {},
): PageSent {
  const { say } = reader;
  const { name } = view.group;
  const { refused, merged } = again;
  const faults = merged?.faults ?? {};
  const question = changeForm(reader, {
    action: editAddress(name),
    isKept: true,
    hidden: hiddenState(editedGroupState(view), values),
    fields: html`${lineField(reader, titleField(reader, values.displayName, false, faults.displayName))}${roleField(reader, values.role, faults.role)}`,
    submit: say('console.save'),
    cancel: groupAddress(name),
  });
  const fault = refused && faultSummary([{ sentence: sentenceOf(reader, refused) }]);
  return consolePage(reader, {
    title: say('console.users.editTitle', { name }),
    current: groupAddress(name),
    body: html`<div class="card narrow">${fault}${merged && mergedSummary(reader, name, merged)}${question}</div>`,
  });
}

const ADD = { paths: ['/console/add-group'], authentication: 'admin', role: 'administrator' } as const;
const EDIT = { ...ADD, paths: ['/console/groups/{name}/edit'] } as const;

const addGet = page({
  ...ADD,
  id: 'org/service/repository/portal/console/groups/add.get',
  summary: 'Show the form that adds a group.',
  method: 'GET',
  input: {},
  perform(context) {
    const { reader, values = {}, booked } = keptForm(inConsole(context).reader, context, ADD_GROUP);
    return answer(addPage(reader, values), booked);
  },
});

const addPost = page({
  ...ADD,
  id: 'org/service/repository/portal/console/groups/add.post',
  summary: 'Add a group.',
  method: 'POST',
  input: { body: form(addMembers) },
  keepsFields: Object.keys(addMembers),
  async perform(context) {
    const { reader, run } = inConsole(context);
    const { body } = context.input;
    const name = body.name?.trim() ?? '';
    const displayName = body.displayName?.trim();
    const role = body.role === 'none' ? {} : roleIn(body);
    const outcome = await run(groupsPost, {
      body: { name, ...(displayName && { displayName }), ...role } as never,
    });
    if (isRefusal(outcome)) return refusedAgain(addPage(reader, body, outcome));
    return changedThen(addressWith(groupAddress(outcome.value.group.name), { done: 'added' }), outcome);
  },
});

const editGet = page({
  ...EDIT,
  id: 'org/service/repository/portal/console/groups/edit.get',
  summary: 'Show the form that changes a group.',
  method: 'GET',
  input: { path: NAMED },
  async perform(context) {
    const { reader, run } = inConsole(context);
    const view = await run(groupGet, { path: { group: context.input.path.name } });
    if (isRefusal(view)) return view;
    const keptFields = keptForm(reader, context, editAddress(view.value.group.name));
    return answer(
      editPage(keptFields.reader, view.value, keptFields.values ?? editedGroupState(view.value)),
      keptFields.booked,
    );
  },
});

const editPost = page({
  ...EDIT,
  id: 'org/service/repository/portal/console/groups/edit.post',
  summary: 'Change the title and the role of a group.',
  method: 'POST',
  input: { path: NAMED, body: form(editMembers) },
  keepsFields: Object.keys(editMembers),
  async perform(context) {
    const { reader, run } = inConsole(context);
    const { body } = context.input;
    const path = { group: context.input.path.name };
    const view = await run(groupGet, { path });
    if (isRefusal(view)) return view;
    const { was: _, formToken, formOwner, ...sent } = body;
    const was = stateIn(body);
    const merged = mergedForm(reader, GROUP_STATE, { sent, was, now: editedGroupState(view.value) });
    if (merged !== undefined) return changedAgain(editPage(reader, view.value, merged.values, { merged }));
    const values = sentValues(sent, was);
    const { displayName = '' } = values;
    const outcome = await run(groupPatch, { path, body: { displayName, ...roleIn(values) } });
    if (!isRefusal(outcome))
      return changedThen(addressWith(groupAddress(path.group), { done: 'changed' }), outcome);
    return isAboutPage(outcome)
      ? outcome
      : refusedAgain(editPage(reader, view.value, values, { refused: outcome }));
  },
});

/** The forms that add and change a group. */
export default [addGet, addPost, editGet, editPost];
