import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { assetOnce } from '../asset.ts';

const textOf = (url: URL | string) => readFileSync(fileURLToPath(url), 'utf8');

const ours = (name: string) => assetOnce(() => textOf(new URL(`assets/${name}`, import.meta.url)));

/** The script of htmx, without its reference to a source map, which is not served. */
const htmx = () =>
  textOf(import.meta.resolve('htmx.org/dist/htmx.min.js')).replace(/\n?\/\/# sourceMappingURL=.*\s*$/, '\n');

/** What the pages load, by name. */
const ASSETS = {
  'portal.css': ours('portal.css'),
  'portal.js': ours('portal.js'),
  'mark.svg': ours('mark.svg'),
  'htmx.js': assetOnce(htmx),
} as const;

/** The name of an asset, as its address ends. */
export type AssetName = keyof typeof ASSETS;

/** The asset of this name. */
export const assetOf = (name: AssetName) => ASSETS[name]();

/** The address of an asset. Its tag names the text, so browsers keep it for a year. */
export const addressOf = (name: AssetName) => `/portal/assets/${name}?tag=${assetOf(name).tag}`;
