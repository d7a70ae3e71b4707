import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Asset, assetOnce } from '../../core/asset.ts';
import type { Format } from '../../core/representations/representation.ts';

const textOf = (url: URL | string) => readFileSync(fileURLToPath(url), 'utf8');

const ours = (name: string) => assetOnce(() => textOf(new URL(`assets/${name}`, import.meta.url)));

/** The script of htmx, without its reference to a source map, which is not served. */
const htmx = () =>
  textOf(import.meta.resolve('htmx.org/dist/htmx.min.js')).replace(/\n?\/\/# sourceMappingURL=.*\s*$/, '\n');

/** The files of the style, in the order in which they are joined: a later rule wins over an earlier one. */
const STYLES = ['colours', 'base', 'frame', 'blocks', 'forms', 'lists', 'plots', 'media'];

const styleOf = (name: string) => textOf(new URL(`assets/styles/${name}.css`, import.meta.url));

/** The declarations of the colours in each scheme. */
export function schemeColours(): { readonly light: string; readonly dark: string } {
  const [light = '', dark = ''] = [...styleOf('colours').matchAll(/:root[^{]*\{([^}]*)\}/g)].map(
    ([, it]) => it,
  );
  return { light, dark };
}

/** Has these declarations hold in dark pages: on a device that prefers them, and for a reader who chose them. */
export const whenDark = (declarations: string): string =>
  `@media (prefers-color-scheme: dark) {:root:not([data-theme="light"]) {${declarations}}}\n:root[data-theme="dark"] {${declarations}}`;

const style = () => STYLES.map(styleOf).join('\n');

/** The assets that pages load. */
const ASSETS = {
  style: { format: 'css', asset: assetOnce(style) },
  script: { format: 'js', asset: ours('portal.js') },
  htmx: { format: 'js', asset: assetOnce(htmx) },
  passkeys: { format: 'js', asset: ours('passkeys.js') },
  mark: { format: 'svg', asset: ours('mark.svg') },
} as const satisfies Record<string, { readonly format: Format; readonly asset: () => Asset }>;

/** The name of what a page loads. */
export type AssetName = keyof typeof ASSETS;

export const ASSET_NAMES = Object.keys(ASSETS) as AssetName[];

/** The asset of this name. */
export const assetOf = (name: AssetName): Asset => ASSETS[name].asset();

/** The format of an asset, which its address ends with. */
export const assetFormatOf = (name: AssetName) => ASSETS[name].format;

/** The address of an asset. Its tag names the text, so browsers keep it for a year. */
export const addressOf = (name: AssetName): string =>
  `/portal/assets/${name}.${assetFormatOf(name)}?tag=${assetOf(name).tag}`;
