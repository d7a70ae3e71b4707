import { isRefusal } from '../../../../core/domain/refusal.ts';
import type { ShownSetting } from '../../../../core/domain/running-service.ts';
import { answer } from '../../../../core/operation.ts';
import { inConsole } from '../../../../faces/pages/console/change.ts';
import { consolePage } from '../../../../faces/pages/console/layout.ts';
import { html } from '../../../../faces/pages/html.ts';
import type { Reader } from '../../../../faces/pages/layout.ts';
import { type PageSent, page } from '../../../../faces/pages/page.ts';
import { table } from '../../../../faces/pages/parts/list.ts';
import settingsGet from '../../operations/admin/settings.get.ts';

const DEFAULT = 'default';

function settingsTable({ say }: Reader, rows: readonly ShownSetting[], areChanged: boolean) {
  return table<ShownSetting>({
    caption: say(areChanged ? 'console.settings.changed' : 'console.settings.defaults'),
    columns: [
      { heading: say('console.settings.name'), cell: ({ name }) => html`<code>${name}</code>` },
      {
        heading: say('console.settings.value'),
        cell: ({ value }) =>
          value === '' ? html`<em>${say('console.settings.empty')}</em>` : html`<code>${value}</code>`,
      },
      ...(areChanged
        ? [{ heading: say('console.settings.from'), cell: ({ from }: ShownSetting) => from }]
        : []),
    ],
    rows,
    whenEmpty: say('console.settings.allDefault'),
  });
}

function settingsPage(reader: Reader, settings: readonly ShownSetting[]): PageSent {
  const { say } = reader;
  const changed = settings.filter(({ from }) => from !== DEFAULT);
  const others = settings.filter(({ from }) => from === DEFAULT);
  return consolePage(reader, {
    title: say('console.settings'),
    current: '/portal/console/settings',
    body: html`<p>${say('console.settings.what')}</p>
<h2>${say('console.settings.changed')}</h2>${settingsTable(reader, changed, true)}
<h2>${say('console.settings.defaults')}</h2>${settingsTable(reader, others, false)}`,
  });
}

/** The settings in force (specification, section 19): given settings with their source come first, and secrets are masked. */
export default page({
  id: 'org/service/repository/portal/console/settings.get',
  summary: 'Show the settings in force.',
  method: 'GET',
  paths: ['/console/settings'],
  authentication: 'admin',
  role: 'operator',
  access: 'read',
  input: {},
  async perform(context) {
    const { reader, run } = inConsole(context);
    const view = await run(settingsGet, {});
    return isRefusal(view) ? view : answer(settingsPage(reader, view.value));
  },
});
