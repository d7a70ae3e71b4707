import { type Counterexample, timesOf, wordsOf } from './check.ts';
import type { Interval } from './record.ts';

/** Pixels: of a lane, of the margin above the lanes and at the left of them, and between two events. */
const LANE = 54;
const TOP = 70;
const LEFT = 150;
const EVENT = 180;
/** Pixels by which an operation without an answer reaches beyond the last event. */
const BEYOND = 60;

const STYLE = `text { font: 13px sans-serif; fill: #222 }
.small { font-size: 11px; fill: #555 }
rect { fill: #dbe7f5; stroke: #4a6f9c }
rect.stuck { fill: #f8d3d0; stroke: #b3261e }
rect.open { stroke-dasharray: 5 3 }`;

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** The lane of each operation: those of a client have lanes of their own, more than one if they overlap. */
function lanesOf(intervals: readonly Interval[]): Map<Interval, number> {
  const lanes: { readonly client: string; end: number }[] = [];
  const found = new Map<Interval, number>();
  const byClient = [...Map.groupBy(intervals, ({ client }) => client).values()].flat();
  for (const interval of byClient) {
    const { client, begin, end } = interval;
    let lane = lanes.findIndex((each) => each.client === client && each.end < begin);
    if (lane === -1) lane = lanes.push({ client, end }) - 1;
    (lanes[lane] as { end: number }).end = end;
    found.set(interval, lane);
  }
  return found;
}

/** Horizontal places: events follow each other at equal distances, since minutes and microseconds fit no common scale. */
function placesOf(intervals: readonly Interval[]): (position: number) => number {
  const events = intervals
    .flatMap(({ begin, end }) => [begin, end])
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  return (position) =>
    Number.isFinite(position)
      ? LEFT + EVENT * (events.indexOf(position) + 0.5)
      : LEFT + EVENT * events.length + BEYOND;
}

/**
 * A counterexample as an SVG: for each client the operations as bars from call to return, the longest order that was found as
 * numbers, and what cannot come next in red.
 */
export function pictureOf(counterexample: Counterexample): string {
  const { subject, intervals, order, stuck } = counterexample;
  const lanes = lanesOf(intervals);
  const placeOf = placesOf(intervals);
  const bars = intervals.map((interval) => {
    const lane = lanes.get(interval) as number;
    const [x, right, y] = [placeOf(interval.begin), placeOf(interval.end), TOP + LANE * lane];
    const kind = [...(stuck.includes(interval) ? ['stuck'] : []), ...(interval.answer ? [] : ['open'])];
    const moments = order.flatMap((each, at) => (each === interval ? [at + 1] : []));
    const number = moments.length > 0 ? `${moments.join(', ')}. ` : '';
    return `<text x="8" y="${y + 19}">${escaped(interval.client)}</text>
<rect class="${kind.join(' ')}" x="${x}" y="${y}" width="${right - x}" height="28" rx="4"/>
<text x="${x + 6}" y="${y + 19}">${number}${escaped(wordsOf(interval))}</text>
<text class="small" x="${x}" y="${y + 42}">${timesOf(interval, counterexample)}</text>`;
  });
  const width = placeOf(Number.POSITIVE_INFINITY) + EVENT;
  const height = TOP + LANE * (Math.max(...lanes.values()) + 1);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<style>${STYLE}</style>
<rect x="0" y="0" width="${width}" height="${height}" style="fill: white; stroke: none"/>
<text x="8" y="22">No order explains ${escaped(subject)}.</text>
<text class="small" x="8" y="42">The numbers are the longest order that was found; what is red cannot come next.</text>
${bars.join('\n')}
</svg>
`;
}
