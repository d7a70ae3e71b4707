import { type ApiKey, isUsable } from '../../../../core/domain/api-key.ts';
import type { CursorPage } from '../../../../core/domain/cursor.ts';
import { isRefusal } from '../../../../core/domain/refusal.ts';
import { suffices } from '../../../../core/domain/role.ts';
import { answer } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { addressWith } from '../../../../faces/pages/console/addresses.ts';
import { changePages, inConsole } from '../../../../faces/pages/console/change.ts';
import { downloadLinks } from '../../../../faces/pages/console/download-links.ts';
import { consolePage, doneArgument, doneNotice } from '../../../../faces/pages/console/layout.ts';
import { html } from '../../../../faces/pages/html.ts';
import { type Reader, shownTime } from '../../../../faces/pages/layout.ts';
import { type PageSent, page } from '../../../../faces/pages/page.ts';
import { icon } from '../../../../faces/pages/parts/icons.ts';
import { type PageOfList, pager, placeArguments, table } from '../../../../faces/pages/parts/list.ts';
import { badge } from '../../../../faces/pages/parts/notice.ts';
import apiKeyDelete from '../../operations/admin/apikey.delete.ts';
import apiKeyGet from '../../operations/admin/apikey.get.ts';
import apiKeysGet from '../../operations/admin/apikeys.get.ts';
import { ADD_API_KEY, API_KEYS, addApiKeyPages } from './add-api-key.ts';

interface ApiKeysShown extends CursorPage<ApiKey>, PageOfList {
  readonly done?: string | undefined;
  readonly now: number;
}

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

function apiKeysPage(reader: Reader, shown: ApiKeysShown): PageSent {
  const { items, done, now } = shown;
  const { say, user } = reader;
  const mayChange = suffices(user?.role, 'administrator');
  const removal = {
    heading: say('console.programs.remove'),
    isPlain: true,
    cell: ({ name }: ApiKey) =>
      html`<a href="${`${API_KEYS}/${encodeURIComponent(name)}/remove`}">${say('console.programs.remove')}</a>`,
  };
  const rows = table<ApiKey>({
    caption: say('console.apiKeys'),
    columns: [...columns(reader, now), ...(mayChange ? [removal] : [])],
    rows: items,
    whenEmpty: say('console.apiKeys.none'),
  });
  return consolePage(reader, {
    title: say('console.apiKeys'),
    current: API_KEYS,
    actions:
      mayChange &&
      html`<a class="button" href="${ADD_API_KEY}">${icon('add')}${say('console.apiKeys.add')}</a>`,
    done: doneNotice(reader, done, { removed: 'console.apiKeys.removed' }),
    body: html`<p>${say('console.apiKeys.what')}</p>${rows}
${pager(reader, API_KEYS, {}, shown)}${downloadLinks(reader, 'api-keys')}`,
  });
}

const list = page({
  id: 'org/service/repository/portal/console/apikeys.get',
  summary: 'List the API keys.',
  method: 'GET',
  paths: ['/console/api-keys'],
  role: 'operator',
  input: { query: Type.Object({ ...doneArgument, ...placeArguments }) },
  async perform(context) {
    const { reader, run } = inConsole(context);
    const { query } = context.input;
    const listed = await run(apiKeysGet, { query: { cursor: query.cursor ?? '' } });
    if (isRefusal(listed)) return listed;
    return answer(apiKeysPage(reader, { ...listed.value, ...query, now: context.now }));
  },
});

const removal = changePages({
  area: 'api-keys',
  what: 'remove',
  summary: 'Remove an API key.',
  role: 'administrator',
  async find(run, name) {
    const found = await run(apiKeyGet, { path: { name } });
    if (isRefusal(found)) return found;
    return { name: found.value.name, state: { id: String(found.value.addedAt) } };
  },
  perform: (run, name) => run(apiKeyDelete, { path: { name } }),
  texts: {},
  next: () => addressWith(API_KEYS, { done: 'removed' }),
  back: () => API_KEYS,
  asks: {
    texts: ({ say }, name) => ({
      title: say('console.apiKeys.removeTitle', { name }),
      sentence: say('console.apiKeys.removeSentence'),
      submit: say('console.programs.remove'),
    }),
  },
});

/** The pages about the keys by which machines administer (specification, section 16). */
export const API_KEY_PAGES = [list, ...addApiKeyPages, ...removal];
