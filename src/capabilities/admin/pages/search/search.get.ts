import { displayNameOf } from '../../../../core/domain/profile.ts';
import { isRefusal, type Refusal } from '../../../../core/domain/refusal.ts';
import { suffices } from '../../../../core/domain/role.ts';
import { answer } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { addressWith, groupAddress, userAddress } from '../../../../faces/pages/console/addresses.ts';
import { inConsole, type RunOperation } from '../../../../faces/pages/console/change.ts';
import { consolePage } from '../../../../faces/pages/console/layout.ts';
import { type HtmlValue, html } from '../../../../faces/pages/html.ts';
import { type Reader, sectionsFor } from '../../../../faces/pages/layout.ts';
import { page } from '../../../../faces/pages/page.ts';
import { filterForm, lineField } from '../../../../faces/pages/parts/form.ts';
import type { TextKey } from '../../../../faces/pages/texts/texts.ts';
import groupsGet from '../../../people/operations/admin/groups/groups.get.ts';
import usersGet from '../../../people/operations/admin/users/users.get.ts';
import settingsGet from '../../operations/admin/settings.get.ts';
import { filterOf } from '../users/users-view.ts';

const SEARCH = '/portal/console/search';
/** How many of a kind are found. */
const MOST = 8;

/** Something that was found: where it is, its name, and what says more about it. */
interface Hit {
  readonly to: string;
  readonly name: string;
  readonly more?: HtmlValue;
}

interface FoundKind {
  readonly title: TextKey;
  readonly hits: readonly Hit[];
  /** The list with all of them. */
  readonly all: string;
}

async function peopleWith(run: RunOperation, part: string): Promise<readonly FoundKind[] | Refusal> {
  const limit = String(MOST);
  const users = await run(usersGet, { query: { ...filterOf({ find: part, only: '' }), cursor: '', limit } });
  if (isRefusal(users)) return users;
  const groups = await run(groupsGet, { query: { search: part, cursor: '', limit } });
  if (isRefusal(groups)) return groups;
  const userHits = users.value.items.map(({ user: { name }, profile }) => {
    const more = displayNameOf(name, profile);
    return { to: userAddress(name), name, ...(more !== name && { more }) };
  });
  const groupHits = groups.value.items.map(({ name, displayName: more }) => ({
    to: groupAddress(name),
    name,
    ...(more !== name && { more }),
  }));
  return [
    { title: 'console.users', hits: userHits, all: addressWith('/portal/console/users', { find: part }) },
    { title: 'console.groups', hits: groupHits, all: addressWith('/portal/console/groups', { find: part }) },
  ];
}

async function settingsWith(reader: Reader, run: RunOperation, key: string): Promise<FoundKind | Refusal> {
  const settings = await run(settingsGet, {});
  if (isRefusal(settings)) return settings;
  const all = '/portal/console/settings';
  const english = reader.language !== 'en' && 'en';
  const hasKey = ({ name }: { readonly name: string }) => name.toLowerCase().includes(key);
  const hits = settings.value
    .filter(({ name, help }) => `${name} ${help}`.toLowerCase().includes(key))
    .toSorted((one, other) => Number(hasKey(other)) - Number(hasKey(one)))
    .map(({ name, help }) => ({
      to: `${all}#${name}`,
      name,
      more: html`<span lang="${english}">${help}</span>`,
    }));
  return { title: 'console.settings', hits: hits.slice(0, MOST), all };
}

/** What there is with this text in its name, as far as the role of the reader opens it. */
async function findingsOf(
  reader: Reader,
  run: RunOperation,
  part: string,
): Promise<readonly FoundKind[] | Refusal> {
  const key = part.toLowerCase();
  const pages = sectionsFor(reader)
    .map(({ to, text }) => ({ to, name: reader.say(text) }))
    .filter(({ name }) => name.toLowerCase().includes(key));
  const sections: FoundKind = { title: 'console.search.pages', hits: pages, all: '' };
  if (part === '' || !suffices(reader.user?.role, 'operator')) return [sections];
  const people = await peopleWith(run, part);
  if (isRefusal(people)) return people;
  const settings = await settingsWith(reader, run, key);
  return isRefusal(settings) ? settings : [sections, ...people, settings];
}

function found({ say }: Reader, findings: readonly FoundKind[]) {
  const lists = findings
    .filter(({ hits }) => hits.length > 0)
    .map(({ title, hits, all }) => {
      const items = hits.map(
        ({ to, name, more }) =>
          html`<li><a href="${to}">${name}</a>${more && html` <span class="hint">${more}</span>`}</li>`,
      );
      const rest =
        all !== '' && hits.length === MOST && html`<p><a href="${all}">${say('console.search.all')}</a></p>`;
      return html`<section class="card"><h2>${say(title)}</h2><ul>${items}</ul>${rest}</section>`;
    });
  return lists.length > 0 ? lists : html`<p class="empty">${say('console.search.none')}</p>`;
}

/** Searches users, groups, settings and the pages of the console (specification, section 19). */
export default page({
  id: 'org/service/repository/portal/console/search.get',
  summary: 'Search users, groups, settings and the pages of the console.',
  method: 'GET',
  paths: ['/console/search'],
  role: 'auditor',
  input: {
    query: Type.Object({
      q: Type.Optional(Type.String({ description: 'A part of what is searched for.', maxLength: 1_024 })),
    }),
  },
  async perform(context) {
    const { reader, run } = inConsole(context);
    const part = (context.input.query.q ?? '').trim();
    const findings = await findingsOf(reader, run, part);
    if (isRefusal(findings)) return findings;
    const title = reader.say('console.search');
    const field = {
      name: 'q',
      type: 'search',
      label: title,
      value: part,
      isOptional: true,
      isFocused: true,
    } as const;
    const fields = lineField(reader, field);
    const submit = reader.say('console.search.submit');
    const form = filterForm(reader, { action: SEARCH, fields, results: 'results', submit });
    const body = html`${form}<div id="results">${found(reader, findings)}</div>`;
    return answer(consolePage(reader, { title, current: SEARCH, usesHtmx: true, body }));
  },
});
