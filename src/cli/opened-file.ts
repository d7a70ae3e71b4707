import { createReadStream, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { Terminal } from './context.ts';
import { Refused } from './failure.ts';

/** A file to import and its bytes, or standard input for `-`, whose end nobody knows. */
export function opened(file: string, terminal: Terminal): { input: Readable; size: number } {
  if (file === '-') return { input: terminal.stdin, size: Number.POSITIVE_INFINITY };
  try {
    const found = statSync(file);
    if (found.isDirectory()) throw new Error('it is a folder');
    return { size: found.size, input: createReadStream(file) };
  } catch (error) {
    throw new Refused(`${file} cannot be read: ${(error as Error).message}`);
  }
}
