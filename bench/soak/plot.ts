import type { Sample } from './memory.ts';

const [WIDTH, HEIGHT] = [720, 240];
const [LEFT, RIGHT, TOP, BOTTOM] = [56, 16, 16, 36];
/** The most points of the plot. */
const POINTS = 600;
const COLOURS = ['#2a7ab8', '#c2702a'];

/** A plot of the memory of instances over time as an SVG, for light and dark pages. The memory axis begins at 0. */
export function plot(instances: readonly (readonly Sample[])[]): string {
  const all = instances.flat();
  const length = Math.max(1, ...all.map(({ at }) => at));
  const most = Math.max(1, ...all.map(({ value }) => value)) * 1.1;
  const x = (at: number) => (LEFT + (at / length) * (WIDTH - LEFT - RIGHT)).toFixed(1);
  const y = (MiB: number) => (HEIGHT - BOTTOM - (MiB / most) * (HEIGHT - TOP - BOTTOM)).toFixed(1);
  const line = (samples: readonly Sample[], number: number) => {
    const every = Math.ceil(samples.length / POINTS);
    const points = samples
      .filter((_, index) => index % every === 0)
      .map(({ at, value }) => `${x(at)},${y(value)}`);
    return `  <polyline points="${points.join(' ')}" fill="none" stroke="${COLOURS[number % COLOURS.length]}" stroke-width="1.5"/>`;
  };
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
    ...instances.map(line),
    '</svg>',
    '',
  ].join('\n');
}
