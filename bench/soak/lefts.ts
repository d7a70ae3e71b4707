import { existsSync, readFileSync } from 'node:fs';
import type { Left } from './memory.ts';

const MIB = 2 ** 20;

/** What has a service write into `file` what each full collection left (`collections.ts`). */
export const telling = (file: string): Readonly<Record<string, string>> => ({
  NODE_OPTIONS: `--import ${new URL('collections.ts', import.meta.url)}`,
  SOAK_COLLECTIONS: file,
});

/** What the full collections left since `began` (epoch milliseconds), by what the service has written. */
export function leftsIn(file: string, began: number): Left[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const [at, heap, beside] = line.split(' ').map(Number) as [number, number, number];
    return { at: (at - began) / 1_000, heap: heap / MIB, beside: beside / MIB };
  });
}
