import { isRefusal, type Refusal } from '../../../../core/domain/refusal.ts';
import { answer } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { addressWith, groupAddress } from '../../../../faces/pages/console/addresses.ts';
import { changedThen, inConsole, refusedAgain } from '../../../../faces/pages/console/change.ts';
import { consolePage } from '../../../../faces/pages/console/layout.ts';
import { html } from '../../../../faces/pages/html.ts';
import { keptForm } from '../../../../faces/pages/kept-form.ts';
import type { Reader } from '../../../../faces/pages/layout.ts';
import { form, type PageSent, page } from '../../../../faces/pages/page.ts';
import { changeForm, faultSummary, lineField } from '../../../../faces/pages/parts/form.ts';
import { sentenceOf } from '../../../../faces/pages/refusal-page.ts';
import groupGet from '../../../people/operations/admin/groups/group.get.ts';
import groupPatch from '../../../people/operations/admin/groups/group.patch.ts';
import groupsPost from '../../../people/operations/admin/groups/groups.post.ts';
import { editPages } from '../edit-pages.ts';
import { roleField, roleIn } from '../users/form-view.ts';
import { editedGroupState, GROUP_STATE } from './state.ts';

const GROUPS = '/portal/console/groups';
const ADD_GROUP = '/portal/console/add-group';

const text = Type.Optional(Type.String());
const addMembers = { name: text, displayName: text, role: text };

/** The values in a form about a group. */
type GroupFields = Readonly<Partial<Record<keyof typeof addMembers, string>>>;

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

const ADD = { paths: ['/console/add-group'], role: 'administrator' } as const;

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

const edit = editPages({
  area: 'groups',
  what: 'the title and the role of a group',
  isNarrow: true,
  fields: ['displayName', 'role'],
  texts: GROUP_STATE,
  address: groupAddress,
  async find(run, group) {
    const view = await run(groupGet, { path: { group } });
    return isRefusal(view) ? view : { name: view.value.group.name, state: editedGroupState(view.value) };
  },
  view: (reader, values, faults) => [
    lineField(reader, titleField(reader, values.displayName, false, faults.displayName)),
    roleField(reader, values.role, faults.role),
  ],
  change: (run, group, { displayName = '', ...values }) =>
    run(groupPatch, { path: { group }, body: { displayName, ...roleIn(values) } }),
});

/** The forms that add and change a group. */
export default [addGet, addPost, ...edit];
