import type { CursorPage } from '../../../core/domain/cursor.ts';
import { isRefusal } from '../../../core/domain/refusal.ts';
import { answer } from '../../../core/operation.ts';
import { Type } from '../../../core/schema.ts';
import { addressWith } from '../../../faces/pages/console/addresses.ts';
import {
  type ButtonChange,
  changedAgain,
  changedThen,
  changePages,
  inConsole,
  NAMED,
  refusedAgain,
} from '../../../faces/pages/console/change.ts';
import { consolePage, doneArgument, doneNotice } from '../../../faces/pages/console/layout.ts';
import {
  changedNotice,
  changedSince,
  hiddenState,
  type ShownState,
  type StateTexts,
  stateIn,
  stateMember,
} from '../../../faces/pages/console/meanwhile.ts';
import { dangerButton, isAdministrator, linkButton } from '../../../faces/pages/console/parts.ts';
import { secretThen } from '../../../faces/pages/console/secret-page.ts';
import { type Html, html } from '../../../faces/pages/html.ts';
import { type Reader, shownTime } from '../../../faces/pages/layout.ts';
import { form, type PageSent, page } from '../../../faces/pages/page.ts';
import { changeForm, faultSummary, lineField } from '../../../faces/pages/parts/form.ts';
import { icon } from '../../../faces/pages/parts/icons.ts';
import { type PageOfList, pager, placeArguments, table } from '../../../faces/pages/parts/list.ts';
import { sentenceOf } from '../../../faces/pages/refusal-page.ts';
import type { TextKey } from '../../../faces/pages/texts/texts.ts';
import type { Application } from '../application.ts';
import applicationDelete from '../operations/admin/application.delete.ts';
import applicationGet from '../operations/admin/application.get.ts';
import applicationPut from '../operations/admin/application.put.ts';
import secretPost from '../operations/admin/applications/secret.post.ts';
import applicationsGet from '../operations/admin/applications.get.ts';
import signingKeysGet from '../operations/admin/signingkeys.get.ts';
import type { SigningKey } from '../tables/signing-keys.ts';
import {
  FIELDS,
  fieldsOf,
  type SettingFields,
  type SettingName,
  settingFields,
  settingsIn,
} from './application-form.ts';
import { exampleSection } from './examples.ts';

const LIST = '/portal/console/applications';
const ADD = '/portal/console/add-application';
const common = { role: 'administrator' } as const;
const pathOf = (name: string) => `${LIST}/${encodeURIComponent(name)}`;

const text = () => Type.Optional(Type.String());

interface ApplicationsShown extends CursorPage<Application>, PageOfList {
  readonly keys: readonly SigningKey[];
  readonly done?: string | undefined;
}

function keysTable(reader: Reader, keys: readonly SigningKey[]): Html {
  const { say } = reader;
  return table<SigningKey>({
    caption: say('console.applications.keys'),
    columns: [
      { heading: say('console.applications.key'), cell: ({ kid, alg }) => html`<code>${alg} ${kid}</code>` },
      { heading: say('console.programs.added'), cell: ({ addedAt }) => shownTime(addedAt, reader) },
      {
        heading: say('console.applications.keyState'),
        cell: ({ retiredAt }) =>
          say(`console.applications.key${retiredAt === undefined ? 'Signs' : 'Retired'}`),
      },
    ],
    rows: keys,
    whenEmpty: '',
  });
}

function listPage(reader: Reader, shown: ApplicationsShown): PageSent {
  const { items, keys, done } = shown;
  const { say } = reader;
  const mayChange = isAdministrator(reader);
  const nameCell = ({ name }: Application) =>
    mayChange ? html`<a href="${pathOf(name)}">${name}</a>` : name;
  const rows = table<Application>({
    caption: say('console.applications'),
    columns: [
      { heading: say('console.programs.name'), cell: nameCell },
      { heading: say('console.applications.title'), cell: ({ settings }) => settings.title ?? '' },
      { heading: say('console.programs.added'), cell: ({ addedAt }) => shownTime(addedAt, reader) },
    ],
    rows: items,
    whenEmpty: say('console.applications.none'),
  });
  return consolePage(reader, {
    title: say('console.applications'),
    current: LIST,
    actions:
      mayChange && html`<a class="button" href="${ADD}">${icon('add')}${say('console.applications.add')}</a>`,
    done: doneNotice(reader, done, {
      added: 'console.applications.added',
      removed: 'console.applications.removed',
    }),
    body: html`<p>${say('console.applications.what')}</p>${rows}
${pager(reader, LIST, {}, shown)}${keys.length > 0 && keysTable(reader, keys)}`,
  });
}

const list = page({
  id: 'org/service/repository/portal/console/applications.get',
  summary: 'List the applications that people sign in to.',
  method: 'GET',
  paths: ['/console/applications'],
  role: 'operator',
  input: { query: Type.Object({ ...doneArgument, ...placeArguments }) },
  async perform(context) {
    const { reader, run } = inConsole(context);
    const { query } = context.input;
    const listed = await run(applicationsGet, { query: { cursor: query.cursor ?? '' } });
    if (isRefusal(listed)) return listed;
    const keys = await run(signingKeysGet, {});
    return isRefusal(keys) ? keys : answer(listPage(reader, { ...listed.value, ...query, keys: keys.value }));
  },
});

const unreadable = ({ say }: Reader, field: SettingName) =>
  say('console.applications.unreadable', { field: say(`console.applications.${field}` as TextKey) });

function addPage(
  reader: Reader,
  { name, ...fields }: SettingFields & { readonly name?: string },
  fault?: string,
): PageSent {
  const { say } = reader;
  const nameField = lineField(reader, {
    name: 'name',
    label: say('console.programs.name'),
    hint: say('console.applications.nameHint'),
    value: name,
    isFocused: true,
  });
  const question = changeForm(reader, {
    action: ADD,
    fields: html`${nameField}${settingFields(reader, fields)}`,
    submit: say('console.applications.add'),
    cancel: LIST,
  });
  return consolePage(reader, {
    title: say('console.applications.add'),
    current: `${LIST}/`,
    body: html`<div class="card narrow">${fault !== undefined && faultSummary([{ sentence: fault }])}${question}</div>`,
  });
}

const addGet = page({
  ...common,
  id: 'org/service/repository/portal/console/applications/add.get',
  summary: 'Show the form that adds an application.',
  method: 'GET',
  paths: ['/console/add-application'],
  input: {},
  perform: (context) => answer(addPage(inConsole(context).reader, fieldsOf({ redirectUris: [] }))),
});

const addPost = page({
  ...common,
  id: 'org/service/repository/portal/console/applications/add.post',
  summary: 'Add an application, and show its secret once.',
  method: 'POST',
  paths: ['/console/add-application'],
  input: { body: form({ ...FIELDS, name: text() }) },
  async perform(context) {
    const { reader, run } = inConsole(context);
    const { body } = context.input;
    const name = (body.name ?? '').trim();
    const existing = await run(applicationGet, { path: { name } });
    if (!isRefusal(existing))
      return refusedAgain(addPage(reader, body, reader.say('console.applications.taken', { name })));
    const settings = settingsIn(body, { redirectUris: [] });
    if (typeof settings === 'string')
      return refusedAgain(addPage(reader, body, unreadable(reader, settings)));
    const outcome = await run(applicationPut, { path: { name }, body: settings });
    if (isRefusal(outcome)) return refusedAgain(addPage(reader, body, sentenceOf(reader, outcome)));
    const { secret } = outcome.value;
    if (secret === undefined) return changedThen(addressWith(LIST, { done: 'added' }), outcome);
    const more = exampleSection(reader, outcome.value, context.browser?.issuer);
    const sentence = 'console.applications.made';
    return secretThen(reader, { name, secret, sentence, list: pathOf(name), more }, outcome);
  },
});

const TEXTS: StateTexts = Object.fromEntries(
  Object.keys(FIELDS).map((name) => [name, { label: `console.applications.${name}` as TextKey }]),
);

const stateOf = ({ addedAt, settings }: Application): ShownState => ({
  id: String(addedAt),
  ...fieldsOf(settings),
});

type EditContext = Parameters<typeof inConsole>[0];

interface EditView {
  readonly application: Application;
  readonly fields?: SettingFields;
  readonly fault?: string;
  readonly was?: ShownState;
  readonly done?: string | undefined;
}

function editPage(context: EditContext, { application, fields, fault, was, done }: EditView): PageSent {
  const { reader } = inConsole(context);
  const { say } = reader;
  const { name, settings, secretDigest } = application;
  const now = stateOf(application);
  const edit = changeForm(reader, {
    action: `${pathOf(name)}/change`,
    fields: settingFields(reader, fields ?? fieldsOf(settings)),
    hidden: hiddenState(now),
    submit: say('console.applications.save'),
    cancel: LIST,
  });
  return consolePage(reader, {
    title: settings.title ?? name,
    current: `${LIST}/`,
    up: { to: LIST, text: say('console.applications') },
    actions: html`${secretDigest !== undefined && linkButton(`${pathOf(name)}/secret`, say('console.applications.secret'))}
${dangerButton(`${pathOf(name)}/remove`, say('console.applications.remove'))}`,
    done: doneNotice(reader, done, { changed: 'console.applications.changed' }),
    body: html`${was && changedNotice(reader, TEXTS, { name, was, now })}<div class="card narrow">${
      fault !== undefined && faultSummary([{ sentence: fault }])
    }${edit}</div>${exampleSection(reader, application, context.browser?.issuer)}`,
  });
}

const edit = page({
  ...common,
  id: 'org/service/repository/portal/console/application.get',
  summary: 'Show the settings of an application.',
  method: 'GET',
  paths: ['/console/applications/{name}'],
  input: { path: NAMED, query: Type.Object(doneArgument) },
  async perform(context) {
    const { run } = inConsole(context);
    const { path, query } = context.input;
    const found = await run(applicationGet, { path });
    return isRefusal(found)
      ? found
      : answer(editPage(context, { application: found.value, done: query.done }));
  },
});

const change = page({
  ...common,
  id: 'org/service/repository/portal/console/application/change.post',
  summary: 'Change the settings of an application.',
  method: 'POST',
  paths: ['/console/applications/{name}/change'],
  input: { path: NAMED, body: form({ ...FIELDS, ...stateMember }) },
  async perform(context) {
    const { reader, run } = inConsole(context);
    const { path, body } = context.input;
    const found = await run(applicationGet, { path });
    if (isRefusal(found)) return found;
    const [application, was] = [found.value, stateIn(body)];
    if (changedSince(was, stateOf(application)).length > 0)
      return changedAgain(editPage(context, { application, fields: body, was }));
    const settings = settingsIn(body, application.settings);
    if (typeof settings === 'string')
      return refusedAgain(
        editPage(context, { application, fields: body, fault: unreadable(reader, settings) }),
      );
    const outcome = await run(applicationPut, { path, body: settings });
    if (isRefusal(outcome))
      return refusedAgain(
        editPage(context, { application, fields: body, fault: sentenceOf(reader, outcome) }),
      );
    const { name, secret } = outcome.value;
    if (secret === undefined) return changedThen(addressWith(pathOf(name), { done: 'changed' }), outcome);
    const view = { name, secret, sentence: 'console.applications.renewed', list: LIST } as const;
    return secretThen(reader, view, outcome);
  },
});

/** What the buttons on the page of an application have alike. */
const button: Pick<ButtonChange, 'area' | 'role' | 'find' | 'texts' | 'back'> = {
  area: 'applications',
  role: 'administrator',
  async find(run, name) {
    const found = await run(applicationGet, { path: { name } });
    return isRefusal(found) ? found : { name: found.value.name, state: { id: String(found.value.addedAt) } };
  },
  texts: {},
  back: pathOf,
};

const removal = changePages({
  ...button,
  what: 'remove',
  summary: 'Remove an application.',
  perform: (run, name) => run(applicationDelete, { path: { name } }),
  next: () => addressWith(LIST, { done: 'removed' }),
  asks: {
    texts: ({ say }, name) => ({
      title: say('console.applications.removeTitle', { name }),
      sentence: say('console.applications.removeSentence'),
      submit: say('console.applications.remove'),
    }),
  },
});

const renewal = changePages({
  ...button,
  what: 'secret',
  summary: 'Give an application another secret, and show it once.',
  async perform(run, name) {
    const outcome = await run(secretPost, { path: { name } });
    if (isRefusal(outcome)) return outcome;
    const { secret = '' } = outcome.value;
    const sentence = 'console.applications.renewed';
    return { ...outcome, secret: { name, secret, sentence, list: pathOf(name) } };
  },
  next: pathOf,
  asks: {
    texts: ({ say }, name) => ({
      title: say('console.applications.secretTitle', { name }),
      sentence: say('console.applications.secretSentence'),
      submit: say('console.applications.secret'),
    }),
  },
});

export const CONSOLE_PAGES = [list, addGet, addPost, edit, change, ...removal, ...renewal];
