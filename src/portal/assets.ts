import { readFileSync } from 'node:fs';
import { assetOnce } from '../asset.ts';

const ours = (name: string) =>
  assetOnce(() => readFileSync(new URL(`assets/${name}`, import.meta.url), 'utf8'));

/** What the pages load, by name. */
const ASSETS = {
  'portal.css': ours('portal.css'),
  'portal.js': ours('portal.js'),
  'mark.svg': ours('mark.svg'),
} as const;

export type AssetName = keyof typeof ASSETS;

/** The asset of this name. */
export const assetOf = (name: AssetName) => ASSETS[name]();

/** The address of an asset. Its tag names the text, so browsers keep it for a year. */
export const addressOf = (name: AssetName) => `/portal/assets/${name}?tag=${assetOf(name).tag}`;
