import type { RegisteredClient } from '../../../../core/domain/client.ts';
import { isRefusal, type Refusal } from '../../../../core/domain/refusal.ts';
import { answer } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { inConsole, refusedAgain } from '../../../../faces/pages/console/change.ts';
import { consolePage } from '../../../../faces/pages/console/layout.ts';
import { secretThen } from '../../../../faces/pages/console/secret-page.ts';
import { html } from '../../../../faces/pages/html.ts';
import { keptForm } from '../../../../faces/pages/kept-form.ts';
import { type Reader, shownTime } from '../../../../faces/pages/layout.ts';
import { form, type PageSent, page } from '../../../../faces/pages/page.ts';
import { changeForm, faultSummary, lineField } from '../../../../faces/pages/parts/form.ts';
import { sentenceOf } from '../../../../faces/pages/refusal-page.ts';
import clientDelete from '../../operations/admin/client.delete.ts';
import clientGet from '../../operations/admin/client.get.ts';
import clientsGet from '../../operations/admin/clients.get.ts';
import clientsPost from '../../operations/admin/clients.post.ts';
import { programPages } from './program-pages.ts';

const CLIENTS = '/portal/console/clients';
const ADD = '/portal/console/add-client';

function addPage(reader: Reader, name: string | undefined, refused?: Refusal): PageSent {
  const { say } = reader;
  const fault = refused && sentenceOf(reader, refused);
  const fields = lineField(reader, {
    name: 'name',
    label: say('console.programs.name'),
    hint: say('console.programs.nameHint'),
    value: name,
    isFocused: true,
    fault,
  });
  const question = changeForm(reader, {
    action: ADD,
    isKept: true,
    fields,
    submit: say('console.clients.add'),
    cancel: CLIENTS,
  });
  return consolePage(reader, {
    title: say('console.clients.add'),
    current: `${CLIENTS}/`,
    body: html`<div class="card narrow">${fault && faultSummary([{ field: 'name', sentence: fault }])}${question}</div>`,
  });
}

const common = { paths: ['/console/add-client'], role: 'administrator' } as const;

const addGet = page({
  ...common,
  id: 'org/service/repository/portal/console/clients/add.get',
  summary: 'Show the form that registers a client.',
  method: 'GET',
  input: {},
  perform(context) {
    const { reader, values, booked } = keptForm(inConsole(context).reader, context, ADD);
    return answer(addPage(reader, values?.name), booked);
  },
});

const addPost = page({
  ...common,
  id: 'org/service/repository/portal/console/clients/add.post',
  summary: 'Register a client, and show its secret once.',
  method: 'POST',
  input: { body: form({ name: Type.Optional(Type.String()) }) },
  keepsFields: ['name'],
  async perform(context) {
    const { reader, run } = inConsole(context);
    const { name = '' } = context.input.body;
    const outcome = await run(clientsPost, { body: { name: name.trim() } });
    if (isRefusal(outcome)) return refusedAgain(addPage(reader, name, outcome));
    const { secret } = outcome.value;
    const secretView = {
      name: outcome.value.name,
      secret,
      sentence: 'console.clients.made',
      list: CLIENTS,
    } as const;
    return secretThen(reader, secretView, outcome);
  },
});

/** The pages about programs that ask about tickets (specification, section 23; RFC 7662). */
export const CLIENT_PAGES = [
  ...programPages<RegisteredClient>({
    area: 'clients',
    texts: 'clients',
    id: 'org/service/repository/portal/console/clients.get',
    called: ['registered clients', 'a client'],
    columns: (reader) => [
      { heading: reader.say('console.programs.name'), cell: ({ name }) => name },
      { heading: reader.say('console.programs.added'), cell: ({ addedAt }) => shownTime(addedAt, reader) },
    ],
    list: (run, cursor) => run(clientsGet, { query: { cursor } }),
    find: (run, name) => run(clientGet, { path: { name } }),
    remove: (run, name) => run(clientDelete, { path: { name } }),
  }),
  addGet,
  addPost,
];
