import type { Frame, Stack } from './read.ts';

const [WIDTH, ROW, TOP] = [1_200, 16, 24];
/** The least width of a drawn call, in pixels. */
const NARROWEST = 1.5;
/** The approximate width of a letter in pixels. */
const LETTER = 6.2;

/** A function under one caller, with the functions that it calls. */
interface Call {
  readonly name: string;
  microseconds: number;
  readonly calls: Map<string, Call>;
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function nameOf({ functionName, url }: Frame): string {
  const place = url.replace(/^.*\/(node_modules|src)\//, '').replace(/^file:.*\//, '');
  return [functionName || '(anonymous)', place].filter((part) => part !== '').join(' ');
}

function colourOf(name: string): string {
  if (/\.ts$/.test(name)) return '#e8a33d';
  return / node:/.test(name) ? '#6fa8d6' : '#b9a6d3';
}

function merged(stacks: readonly Stack[]): Call {
  const root: Call = { name: 'all', microseconds: 0, calls: new Map() };
  for (const { frames, microseconds } of stacks) {
    let call = root;
    call.microseconds += microseconds;
    for (const name of frames.map(nameOf)) {
      const below = call.calls.get(name) ?? { name, microseconds: 0, calls: new Map() };
      call.calls.set(name, below);
      below.microseconds += microseconds;
      call = below;
    }
  }
  return root;
}

function* drawn(call: Call, left: number, depth: number, perPixel: number): Generator<[number, string]> {
  const width = call.microseconds / perPixel;
  if (width < NARROWEST) return;
  const [x, y] = [left.toFixed(1), TOP + depth * ROW];
  const room = Math.floor((width - 4) / LETTER);
  const text =
    room < 3
      ? ''
      : `<text x="${(left + 2).toFixed(1)}" y="${y + 12}">${escaped(call.name.slice(0, room))}</text>`;
  const share = ((width / WIDTH) * 100).toFixed(1);
  const box = `<rect x="${x}" y="${y}" width="${(width - 0.5).toFixed(1)}" height="${ROW - 1}" fill="${colourOf(call.name)}"/>`;
  yield [depth, `<g><title>${escaped(call.name)}: ${share} %</title>${box}${text}</g>`];
  let at = left;
  for (const below of [...call.calls.values()].sort((one, other) => other.microseconds - one.microseconds)) {
    yield* drawn(below, at, depth + 1, perPixel);
    at += below.microseconds / perPixel;
  }
}

/** A flame graph as an SVG. Called functions are below their caller; the width is the time. */
export function flameGraph(stacks: readonly Stack[], title: string): string {
  const root = merged(stacks);
  const boxes = [...drawn(root, 0, 0, root.microseconds / WIDTH)];
  const height = TOP + ROW * (1 + Math.max(...boxes.map(([depth]) => depth)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="monospace" font-size="10" fill="#222">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/><text x="4" y="15" font-size="12">${escaped(title)}</text>`,
    ...boxes.map(([, box]) => box),
    '</svg>',
    '',
  ].join('\n');
}
