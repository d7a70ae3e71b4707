import { type Asset, assetOnce } from '../../core/asset.ts';
import { type Brand, NO_BRAND, nameIn } from '../../core/domain/brand.ts';
import type { PageDress } from '../../core/representations/representation.ts';
import { assetOf, whenDark } from './assets.ts';
import { accentColours, type Scheme } from './brand-colours.ts';
import { brandLinks, type PageStyle } from './foot.ts';

/** The declarations of an accent in one scheme, as the style has them. */
export function accentStyle(accent: string, scheme: Scheme): string {
  const colours = accentColours(accent, scheme);
  return `--accent:${colours.accent};--accent-hover:${colours.hover};--on-accent:${colours.on};--accent-soft:${colours.soft}`;
}

function coloursText({ brandAccent }: Brand): string {
  if (brandAccent === '') return '';
  return `:root {${accentStyle(brandAccent, 'light')}}\n${whenDark(accentStyle(brandAccent, 'dark'))}\n`;
}

/** What pages load of a brand, by the names of the assets. */
const FORMATS = { brand: 'css', logo: 'svg' } as const;
export type BrandAssetName = keyof typeof FORMATS;

/** Those of each service of this process. */
const services = new WeakMap<Brand, Readonly<Record<BrandAssetName, () => Asset>>>();

/** The colours or the logo of this brand; the mark of Tessera if it has no logo. */
export function brandAssetOf(name: BrandAssetName, brand: Brand): Asset {
  const cached = services.get(brand);
  if (cached !== undefined) return cached[name]();
  const logo = brand.brandLogo;
  services.set(brand, {
    brand: assetOnce(() => coloursText(brand)),
    logo: logo === '' ? () => assetOf('mark') : assetOnce(() => logo),
  });
  return brandAssetOf(name, brand);
}

export const brandFormatOf = (name: BrandAssetName) => FORMATS[name];

/** The address of an asset of this brand. Its tag is a digest of the text, so browsers keep it for a year. */
export const brandAddressOf = (name: BrandAssetName, brand: Brand): string =>
  `/portal/assets/${name}.${FORMATS[name]}?tag=${brandAssetOf(name, brand).tag}`;

/** What a page that loads nothing shows of the operator. */
export function dressOf({ say, brand = NO_BRAND, theme }: PageStyle): PageDress {
  const { brandName: name, brandLogo: logo, brandAccent } = brand;
  const link = (scheme: Scheme) => `--link:${accentColours(brandAccent, scheme).accent}`;
  const style = brandAccent === '' ? '' : `:root{${link('light')}}\n${whenDark(link('dark'))}`;
  return { name: logo === '' ? name : nameIn(brand), logo, style, theme, links: brandLinks({ say, brand }) };
}
