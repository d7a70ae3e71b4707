import { isRefusal } from '../../../../core/domain/refusal.ts';
import type { ShownSetting } from '../../../../core/domain/running-service.ts';
import { answer } from '../../../../core/operation.ts';
import { inConsole } from '../../../../faces/pages/console/change.ts';
import { consolePage } from '../../../../faces/pages/console/layout.ts';
import { type Html, html } from '../../../../faces/pages/html.ts';
import type { Reader } from '../../../../faces/pages/layout.ts';
import { type PageSent, page } from '../../../../faces/pages/page.ts';
import { facts } from '../../../../faces/pages/parts/list.ts';
import { badge } from '../../../../faces/pages/parts/notice.ts';
import type { TextKey } from '../../../../faces/pages/texts/texts.ts';
import settingsGet from '../../operations/admin/settings.get.ts';

const isGiven = ({ from }: ShownSetting) => from !== 'default';

/** Where a value was given, in words. */
function sourceOf({ say }: Reader, { name, from }: ShownSetting): string {
  if (from.startsWith('--')) return say('console.settings.from.flag', { flag: from });
  if (from === `${name}_FILE`) return say('console.settings.from.secretFile', { variable: from });
  return say(`console.settings.from.${from === name ? 'variable' : 'file'}`);
}

/** A group of settings. It is closed if all of them have their defaults; the address of a setting opens it. */
function groupSection(reader: Reader, heading: string, rows: readonly ShownSetting[]): Html {
  const { say, language } = reader;
  const given = rows.filter(isGiven).length;
  const title = say(`console.settings.group.${heading}` as TextKey);
  const english = language !== 'en' && 'en';
  const list = facts(
    rows.map((row) => {
      const { name, value, help } = row;
      const text =
        value === '' ? html`<em>${say('console.settings.empty')}</em>` : html`<code>${value}</code>`;
      const source = isGiven(row) && html` ${badge('neutral', sourceOf(reader, row))}`;
      const label = html`<code id="${name}">${name}</code>`;
      return [label, html`${text}${source}<div class="hint" lang="${english}">${help}</div>`];
    }),
  );
  const counts = say('console.settings.counts', { count: rows.length, given });
  return html`<details class="card" open="${given > 0}"><summary><h2>${title}</h2> <span class="hint">${counts}</span></summary>${list}</details>`;
}

function settingsPage(reader: Reader, settings: readonly ShownSetting[]): PageSent {
  const { say } = reader;
  const groups = [...Map.groupBy(settings, ({ group }) => group)];
  return consolePage(reader, {
    title: say('console.settings'),
    current: '/portal/console/settings',
    body: html`<p>${say('console.settings.what')}</p>${groups.map(([heading, rows]) => groupSection(reader, heading, rows))}`,
  });
}

/** The settings in force (specification, section 19), in the groups of the reference, with their sources. Secrets are masked. */
export default page({
  id: 'org/service/repository/portal/console/settings.get',
  summary: 'Show the settings in force.',
  method: 'GET',
  paths: ['/console/settings'],
  role: 'operator',
  input: {},
  async perform(context) {
    const { reader, run } = inConsole(context);
    const view = await run(settingsGet, {});
    return isRefusal(view) ? view : answer(settingsPage(reader, view.value));
  },
});
