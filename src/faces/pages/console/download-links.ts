import { type Html, html } from '../html.ts';
import type { Reader } from '../layout.ts';
import { icon } from '../parts/icons.ts';
import { addressWith } from './addresses.ts';

/** Links to the whole of a list as a file, with the filters of its page. `list` is the end of the path of its download. */
export function downloadLinks(
  { say }: Reader,
  list: string,
  filters: Readonly<Record<string, string | undefined>> = {},
): Html {
  const path = `/portal/console/downloads/${list}`;
  return html`<p class="hint">${icon('download')}${say('list.download')}:
<a href="${addressWith(path, filters)}" download="">${say('list.downloadCsv')}</a>,
<a href="${addressWith(path, { ...filters, format: 'json' })}" download="">${say('list.downloadJson')}</a></p>`;
}
