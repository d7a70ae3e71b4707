import type { Frame, Stack } from './read.ts';

/** Areas of the code by the URLs of their functions; the first match counts. */
const AREAS: readonly (readonly [name: string, place: RegExp])[] = [
  ['digest of the ticket', /^node:internal\/crypto/],
  ['fastify', /node_modules\/(fastify|find-my-way|avvio|@fastify)\//],
  ['log', /node_modules\/(pino|sonic-boom|thread-stream)|\/src\/core\/telemetry\/(log|redaction)/],
  ['the look-up: `engines/`', /\/src\/(engines|core\/storage)\//],
  ['the gate: `gate/`, `identity/`, `domain/`', /\/src\/core\/(gate|identity|domain)\//],
  [
    'operation and body: `operations/`, `representations/`, `core/http/formats.ts`',
    /\/src\/(capabilities|core\/(operations|representations|http\/formats\.|operation\.ts))/,
  ],
  ['target, route, headers: `http/`', /\/src\/core\/http\//],
  ['metrics and request line: `telemetry/`', /\/src\//],
  ['Node: HTTP, sockets, timers', /^node:/],
];

const WRITES = /^write(Utf8|Latin1)String$/;

/** The area of a stack. Built-ins and regular expressions count for the function that calls them. */
function areaOf({ frames }: Stack): string {
  const last = frames.at(-1)?.functionName ?? '';
  if (WRITES.test(last)) return 'writing to the socket (system call)';
  if (last === '(garbage collector)') return 'garbage collection';
  if (last === '(program)') return 'outside of JavaScript: reading sockets, waiting for them, parsing HTTP';
  const { url } = frames.findLast((frame: Frame) => frame.url !== '') ?? { url: '' };
  return AREAS.find(([, place]) => place.test(url))?.[0] ?? 'everything else';
}

/** Microseconds by area, in descending order. */
export function byArea(stacks: readonly Stack[]): [area: string, microseconds: number][] {
  const areas = new Map<string, number>();
  for (const stack of stacks) {
    const area = areaOf(stack);
    areas.set(area, (areas.get(area) ?? 0) + stack.microseconds);
  }
  return [...areas].sort(([, one], [, other]) => other - one);
}
