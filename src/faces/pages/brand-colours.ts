import { schemeColours } from './assets.ts';

/** Pages are light or dark. */
export type Scheme = 'light' | 'dark';

/** Red, green and blue, from 0 to 255. */
type Rgb = readonly number[];

/** What text needs on its ground (WCAG 2.2, 1.4.3). */
export const LEAST_CONTRAST = 4.5;

const rgbOf = (colour: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

const textOf = (rgb: Rgb) => `#${rgb.map((value) => value.toString(16).padStart(2, '0')).join('')}`;

/** One colour with this share of another. */
function mixed(one: string, other: string, share: number): string {
  const others = rgbOf(other);
  return textOf(rgbOf(one).map((value, at) => Math.round(value + ((others[at] as number) - value) * share)));
}

/** Relative luminance (WCAG 2.2). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = rgbOf(colour)
    .map((value) => value / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [darker = 0, brighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (brighter + 0.05) / (darker + 0.05);
}

const WHITE = '#ffffff';
const BLACK = '#000000';
/** How accents change in each scheme until they can be read, and how much of them is in the ground of a chosen link. */
const SCHEMES = {
  light: { towards: BLACK, soft: 0.1 },
  dark: { towards: WHITE, soft: 0.18 },
} as const;
const STEP = 0.02;

/** The colours of a brand in one scheme, as #rrggbb. */
interface AccentColours {
  readonly accent: string;
  /** The accent under a pointer. */
  readonly hover: string;
  /** Text on both. */
  readonly on: string;
  /** The ground of a chosen link. */
  readonly soft: string;
  /** The least contrast of the accent with its grounds. */
  readonly contrast: number;
}

function coloursFrom(accent: string, scheme: Scheme): AccentColours {
  const { towards, soft: share } = SCHEMES[scheme];
  const own = (name: string) =>
    new RegExp(`--${name}: (#[0-9a-f]{6})`).exec(schemeColours()[scheme])?.[1] ?? WHITE;
  const soft = mixed(own('surface'), accent, share);
  const grounds = [own('page'), own('surface'), own('soft'), soft];
  return {
    accent,
    hover: mixed(accent, towards, 0.2),
    on: contrast(accent, WHITE) >= contrast(accent, BLACK) ? WHITE : BLACK,
    soft,
    contrast: Math.min(...grounds.map((ground) => contrast(accent, ground))),
  };
}

/** The colours for this accent: the accent itself or, if it cannot be read on pages of the scheme, the nearest shade of it that can. */
export function accentColours(accent: string, scheme: Scheme): AccentColours {
  const { towards } = SCHEMES[scheme];
  let share = 0;
  let colours = coloursFrom(accent, scheme);
  while (colours.contrast < LEAST_CONTRAST && share < 1) {
    share += STEP;
    colours = coloursFrom(mixed(accent, towards, Math.min(share, 1)), scheme);
  }
  return colours;
}

/** How well this accent can be read on pages of the scheme as it is. */
export const contrastOf = (accent: string, scheme: Scheme): number => coloursFrom(accent, scheme).contrast;
