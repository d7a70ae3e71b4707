import type { Sample } from './memory.ts';

const [WIDTH, HEIGHT] = [720, 240];
const [LEFT, RIGHT, TOP, BOTTOM] = [56, 16, 16, 36];
/** The most points of the plot. */
const POINTS = 600;

/** A plot of memory over time as an SVG, for light and dark pages. The memory axis begins at 0. */
export function plot(samples: readonly Sample[]): string {
  const length = Math.max(1, samples.at(-1)?.at ?? 1);
  const most = Math.max(1, ...samples.map(({ MiB }) => MiB)) * 1.1;
  const x = (at: number) => (LEFT + (at / length) * (WIDTH - LEFT - RIGHT)).toFixed(1);
  const y = (MiB: number) => (HEIGHT - BOTTOM - (MiB / most) * (HEIGHT - TOP - BOTTOM)).toFixed(1);
  const every = Math.ceil(samples.length / POINTS);
  const points = samples
    .filter((_, number) => number % every === 0)
    .map(({ at, MiB }) => `${x(at)},${y(MiB)}`);
  const label = (left: string, top: string, anchor: string, text: string) =>
    `  <text x="${left}" y="${top}" text-anchor="${anchor}">${text}</text>`;
  const parts = [0, 0.25, 0.5, 0.75, 1];
  const unit = length >= 120 ? ([60, 'min'] as const) : ([1, 's'] as const);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="11" fill="#777">`,
    '  <title>Resident memory of the service under mixed load</title>',
    ...parts.map((part) => {
      const top = y(most * part);
      return `  <path d="M${LEFT} ${top}H${WIDTH - RIGHT}" stroke="#999" stroke-opacity="0.4"/>`;
    }),
    ...parts.map((part) => label(String(LEFT - 6), y(most * part), 'end', `${Math.round(most * part)} MiB`)),
    ...parts.map((part) => {
      const text = `${Math.round((length * part) / unit[0])} ${unit[1]}`;
      return label(x(length * part), String(HEIGHT - 14), 'middle', text);
    }),
    `  <polyline points="${points.join(' ')}" fill="none" stroke="#2a7ab8" stroke-width="1.5"/>`,
    '</svg>',
    '',
  ].join('\n');
}
