import type { RegisteredClient } from '../../../../core/domain/client.ts';
import type { CursorPage } from '../../../../core/domain/cursor.ts';
import { isRefusal, type Refusal } from '../../../../core/domain/refusal.ts';
import { suffices } from '../../../../core/domain/role.ts';
import { answer } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { addressWith } from '../../../../faces/pages/console/addresses.ts';
import { changePages, inConsole, refusedAgain } from '../../../../faces/pages/console/change.ts';
import { downloadLinks } from '../../../../faces/pages/console/download-links.ts';
import { consolePage, doneArgument, doneNotice } from '../../../../faces/pages/console/layout.ts';
import { secretThen } from '../../../../faces/pages/console/secret-page.ts';
import { html } from '../../../../faces/pages/html.ts';
import { keptForm } from '../../../../faces/pages/kept-form.ts';
import { type Reader, shownTime } from '../../../../faces/pages/layout.ts';
import { form, type PageSent, page } from '../../../../faces/pages/page.ts';
import { changeForm, faultSummary, lineField } from '../../../../faces/pages/parts/form.ts';
import { icon } from '../../../../faces/pages/parts/icons.ts';
import { type PageOfList, pager, placeArguments, table } from '../../../../faces/pages/parts/list.ts';
import { sentenceOf } from '../../../../faces/pages/refusal-page.ts';
import clientDelete from '../../operations/admin/client.delete.ts';
import clientGet from '../../operations/admin/client.get.ts';
import clientsGet from '../../operations/admin/clients.get.ts';
import clientsPost from '../../operations/admin/clients.post.ts';

const CLIENTS = '/portal/console/clients';
const ADD = '/portal/console/add-client';

interface ClientsShown extends CursorPage<RegisteredClient>, PageOfList {
  readonly done?: string | undefined;
}

function clientsPage(reader: Reader, shown: ClientsShown): PageSent {
  const { items, done } = shown;
  const { say, user } = reader;
  const mayChange = suffices(user?.role, 'administrator');
  const remove = (name: string) =>
    html`<a href="${`${CLIENTS}/${encodeURIComponent(name)}/remove`}">${say('console.programs.remove')}</a>`;
  const rows = table<RegisteredClient>({
    caption: say('console.clients'),
    columns: [
      { heading: say('console.programs.name'), cell: ({ name }) => name },
      { heading: say('console.programs.added'), cell: ({ addedAt }) => shownTime(addedAt, reader) },
      ...(mayChange
        ? [
            {
              heading: say('console.programs.remove'),
              isPlain: true,
              cell: ({ name }: RegisteredClient) => remove(name),
            },
          ]
        : []),
    ],
    rows: items,
    whenEmpty: say('console.clients.none'),
  });
  return consolePage(reader, {
    title: say('console.clients'),
    current: CLIENTS,
    actions:
      mayChange && html`<a class="button" href="${ADD}">${icon('add')}${say('console.clients.add')}</a>`,
    done: doneNotice(reader, done, { removed: 'console.clients.removed' }),
    body: html`<p>${say('console.clients.what')}</p>${rows}
${pager(reader, CLIENTS, {}, shown)}${downloadLinks(reader, 'clients')}`,
  });
}

const clients = page({
  id: 'org/service/repository/portal/console/clients.get',
  summary: 'List the registered clients.',
  method: 'GET',
  paths: ['/console/clients'],
  role: 'operator',
  input: { query: Type.Object({ ...doneArgument, ...placeArguments }) },
  async perform(context) {
    const { reader, run } = inConsole(context);
    const { query } = context.input;
    const listed = await run(clientsGet, { query: { cursor: query.cursor ?? '' } });
    return isRefusal(listed) ? listed : answer(clientsPage(reader, { ...listed.value, ...query }));
  },
});

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

const removal = changePages({
  area: 'clients',
  what: 'remove',
  summary: 'Remove a client.',
  role: 'administrator',
  async find(run, name) {
    const found = await run(clientGet, { path: { name } });
    if (isRefusal(found)) return found;
    return { name: found.value.name, state: { id: String(found.value.addedAt) } };
  },
  perform: (run, name) => run(clientDelete, { path: { name } }),
  texts: {},
  next: () => addressWith(CLIENTS, { done: 'removed' }),
  back: () => CLIENTS,
  asks: {
    texts: ({ say }, name) => ({
      title: say('console.clients.removeTitle', { name }),
      sentence: say('console.clients.removeSentence'),
      submit: say('console.programs.remove'),
    }),
  },
});

/** The pages about programs that ask about tickets (specification, section 23; RFC 7662). */
export const CLIENT_PAGES = [clients, addGet, addPost, ...removal];
