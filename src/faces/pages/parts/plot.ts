import { type Html, html } from '../html.ts';
import type { Language } from '../texts/texts.ts';

/** One bar of a plot: how often something went well and how often it was refused in a span of time. */
export interface PlotBar {
  /** The text of the bar, with its numbers. A browser shows it under the mouse. */
  readonly said: string;
  /** The label below the bar; undefined for most bars, so that the labels have room. */
  readonly label?: string | undefined;
  readonly good: number;
  readonly refused: number;
}

/** Bars over time, from the earliest to the latest. */
export interface Plot {
  readonly language: Language;
  /** The content of the plot in one sentence, for readers who do not see it. */
  readonly said: string;
  readonly bars: readonly PlotBar[];
}

/** The size in units of the drawing; the page scales it to its width. */
const WIDTH = 480;
const HEIGHT = 190;
/** Room for the numbers at the left, for half of the last label at the right, and for the labels below. */
const LEFT = 46;
const RIGHT = 10;
const BOTTOM = 26;
const TOP = 12;
const DEPTH = HEIGHT - TOP - BOTTOM;

/** Room for half a label at the right. */
const HALF_LABEL = 22;

/** Lines of the grid above its axis. */
const LINES = 4;
/** The least height of something that happened: one refusal among thousands of sign-ins is seen, too. */
const LEAST = 2;

/** The distance of the lines of a grid that reaches up to `highest`: 1, 2 or 5 times a power of ten. */
function stepFor(highest: number): number {
  const least = Math.max(1, highest / LINES);
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find((each) => each * power >= least) as number;
  return factor * power;
}

const rounded = (size: number) => Math.round(size * 10) / 10;

/** A part of a bar that stands on `from`, which is its distance from the top. */
function part(kind: string, left: number, from: number, width: number, height: number): Html | undefined {
  return height === 0
    ? undefined
    : html`<rect class="${kind}" x="${rounded(left)}" y="${rounded(from - height)}" width="${rounded(width)}" height="${rounded(height)}"/>`;
}

const heightOf = (count: number, top: number) => (count === 0 ? 0 : Math.max(LEAST, (count / top) * DEPTH));

function gridOf(step: number, top: number, language: Language): Html[] {
  const numbers = new Intl.NumberFormat(language, { notation: 'compact' });
  return Array.from({ length: top / step + 1 }, (_, line) => {
    const y = rounded(TOP + DEPTH - (line * step * DEPTH) / top);
    return html`<line class="${line === 0 ? 'axis' : 'grid'}" x1="${LEFT}" x2="${WIDTH}" y1="${y}" y2="${y}"/>
<text x="${LEFT - 6}" y="${y + 4}" text-anchor="end">${numbers.format(line * step)}</text>`;
  });
}

/**
 * Draws bars as SVG. What was refused stands on what went well, so that a bar is as high as all tries. The style sheet gives
 * the colours; the drawing has no style and no script.
 */
export function plot({ language, said, bars }: Plot): Html {
  const step = stepFor(Math.max(0, ...bars.map(({ good, refused }) => good + refused)));
  const highest = Math.max(1, ...bars.map(({ good, refused }) => good + refused));
  const top = Math.ceil(highest / step) * step;
  const room = (WIDTH - LEFT - RIGHT) / Math.max(1, bars.length);
  const width = room * 0.7;
  const drawn = bars.map(({ said: name, label, good, refused }, at) => {
    const left = LEFT + at * room;
    const middle = rounded(Math.min(left + room / 2, WIDTH - HALF_LABEL));
    const floor = TOP + DEPTH;
    const height = heightOf(good, top);
    const inset = left + (room - width) / 2;
    return html`<g><title>${name}</title><rect class="room" x="${rounded(left)}" y="${TOP}" width="${rounded(room)}" height="${DEPTH}"/>
${part('bar', inset, floor, width, height)}${part('bar refused', inset, floor - height, width, heightOf(refused, top))}</g>
${label && html`<text x="${middle}" y="${HEIGHT - 8}" text-anchor="middle">${label}</text>`}`;
  });
  return html`<svg class="plot" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${said}">${gridOf(step, top, language)}${drawn}</svg>`;
}
