import { type ApiKey, isUsable } from '../../../../core/domain/api-key.ts';
import { isRefusal, type Refusal } from '../../../../core/domain/refusal.ts';
import { KEY_ROLES } from '../../../../core/domain/role.ts';
import { answer } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { inConsole, refusedAgain } from '../../../../faces/pages/console/change.ts';
import { consolePage } from '../../../../faces/pages/console/layout.ts';
import { secretThen } from '../../../../faces/pages/console/secret-page.ts';
import { html } from '../../../../faces/pages/html.ts';
import { keptForm } from '../../../../faces/pages/kept-form.ts';
import { type Reader, shownTime } from '../../../../faces/pages/layout.ts';
import { form, type PageSent, page } from '../../../../faces/pages/page.ts';
import { changeForm, choiceField, faultSummary, lineField } from '../../../../faces/pages/parts/form.ts';
import { badge } from '../../../../faces/pages/parts/notice.ts';
import { sentenceOf } from '../../../../faces/pages/refusal-page.ts';
import apiKeyDelete from '../../operations/admin/apikey.delete.ts';
import apiKeyGet from '../../operations/admin/apikey.get.ts';
import apiKeysGet from '../../operations/admin/apikeys.get.ts';
import apiKeysPost from '../../operations/admin/apikeys.post.ts';
import { programPages } from './program-pages.ts';

/** The list of API keys, and the page that adds one. */
const API_KEYS = '/portal/console/api-keys';
const ADD_API_KEY = '/portal/console/add-api-key';

interface KeyFields {
  readonly name?: string;
  readonly role?: string;
  /** A day, such as 2030-01-31. */
  readonly lastDay?: string;
}

function addPage(reader: Reader, { name, role, lastDay }: KeyFields, refused?: Refusal): PageSent {
  const { say } = reader;
  const fault = refused && sentenceOf(reader, refused);
  const choices = KEY_ROLES.map((value) => ({ value, text: say(`role.${value}`) }));
  const fields = html`${lineField(reader, {
    name: 'name',
    label: say('console.programs.name'),
    hint: say('console.programs.nameHint'),
    value: name,
    isFocused: true,
  })}
${choiceField({ name: 'role', label: say('console.apiKeys.role'), hint: say('console.apiKeys.roleHint'), choices, value: role })}
${lineField(reader, {
  name: 'lastDay',
  label: say('console.apiKeys.lastDay'),
  hint: say('console.apiKeys.lastDayHint'),
  type: 'date',
  value: lastDay,
  isOptional: true,
})}`;
  const question = changeForm(reader, {
    action: ADD_API_KEY,
    isKept: true,
    fields,
    submit: say('console.apiKeys.add'),
    cancel: API_KEYS,
  });
  return consolePage(reader, {
    title: say('console.apiKeys.add'),
    current: `${API_KEYS}/`,
    body: html`<div class="card narrow">${fault && faultSummary([{ sentence: fault }])}${question}</div>`,
  });
}

const common = { paths: ['/console/add-api-key'], role: 'administrator' } as const;

const addGet = page({
  ...common,
  id: 'org/service/repository/portal/console/api-keys/add.get',
  summary: 'Show the form that makes an API key.',
  method: 'GET',
  input: {},
  perform(context) {
    const keptFields = keptForm(inConsole(context).reader, context, ADD_API_KEY);
    return answer(addPage(keptFields.reader, keptFields.values ?? { role: 'auditor' }), keptFields.booked);
  },
});

const optional = Type.Optional(Type.String());
const members = { name: optional, role: optional, lastDay: optional };

const addPost = page({
  ...common,
  id: 'org/service/repository/portal/console/api-keys/add.post',
  summary: 'Make an API key, and show it once.',
  method: 'POST',
  input: { body: form(members) },
  keepsFields: Object.keys(members),
  async perform(context) {
    const { reader, run } = inConsole(context);
    const { formToken: _, ...values } = context.input.body;
    const { name = '', role = '', lastDay } = values;
    const end = lastDay === undefined ? {} : { expiresAt: `${lastDay}T23:59:59Z` };
    const outcome = await run(apiKeysPost, { body: { name: name.trim(), role, ...end } });
    if (isRefusal(outcome)) return refusedAgain(addPage(reader, values, outcome));
    const { key } = outcome.value;
    const secretView = {
      name: outcome.value.name,
      secret: key,
      sentence: 'console.apiKeys.made',
      list: API_KEYS,
    } as const;
    return secretThen(reader, secretView, outcome);
  },
});

function columns(reader: Reader, now: number) {
  const { say } = reader;
  const timeOr = (at: number | undefined, otherwise: string) =>
    at === undefined ? otherwise : shownTime(at, reader);
  const end = (key: ApiKey) =>
    html`${timeOr(key.expiresAt, say('console.apiKeys.never'))} ${!isUsable(key, now) && badge('bad', say('console.apiKeys.expired'))}`;
  return [
    { heading: say('console.programs.name'), cell: ({ name }: ApiKey) => name },
    { heading: say('console.apiKeys.role'), cell: ({ role }: ApiKey) => say(`role.${role}`) },
    { heading: say('console.programs.added'), cell: ({ addedAt }: ApiKey) => shownTime(addedAt, reader) },
    {
      heading: say('console.apiKeys.used'),
      cell: ({ usedAt }: ApiKey) => timeOr(usedAt, say('console.apiKeys.unused')),
    },
    { heading: say('console.apiKeys.ends'), cell: end },
  ];
}

/** The pages about the keys by which machines administer (specification, section 16). */
export const API_KEY_PAGES = [
  ...programPages<ApiKey>({
    area: 'api-keys',
    texts: 'apiKeys',
    id: 'org/service/repository/portal/console/apikeys.get',
    called: ['API keys', 'an API key'],
    columns,
    list: (run, cursor) => run(apiKeysGet, { query: { cursor } }),
    find: (run, name) => run(apiKeyGet, { path: { name } }),
    remove: (run, name) => run(apiKeyDelete, { path: { name } }),
  }),
  addGet,
  addPost,
];
