import { existsSync, readFileSync } from 'node:fs';
import type { AfterCollection } from './memory.ts';

const MIB = 2 ** 20;

/**
 * The environment with which a service writes its memory after each full collection into `file`. With `every` (milliseconds)
 * it collects by that clock as well: a modest load has few collections of its own.
 */
export const collectionSettings = (file: string, every?: number): Readonly<Record<string, string>> => ({
  NODE_OPTIONS: `--import ${new URL('report-collections.ts', import.meta.url)}`,
  SOAK_COLLECTIONS: file,
  ...(every !== undefined && { SOAK_COLLECT_EVERY: String(every) }),
});

/** Reads that file. `began` is the start of the load in epoch milliseconds. */
export function readCollections(file: string, began: number): AfterCollection[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const [at, heap, beside] = line.split(' ').map(Number) as [number, number, number];
    return { at: (at - began) / 1_000, heap: heap / MIB, beside: beside / MIB };
  });
}
