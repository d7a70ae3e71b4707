import { createReadStream, fstatSync, openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { Terminal } from './context.ts';
import { CommandRefused } from './failure.ts';

/**
 * A file to import, open, and its bytes; or standard input for `-`. Of that, and of whatever else is no file on a disk,
 * nobody knows the end.
 */
export function opened(file: string, terminal: Terminal): { input: Readable; size: number } {
  if (file === '-') return { input: terminal.stdin, size: Number.POSITIVE_INFINITY };
  try {
    // Opened at once: who waits for the store first is no listener to what a stream tells meanwhile.
    const handle = openSync(file, 'r');
    const found = fstatSync(handle);
    if (found.isDirectory()) throw new Error('it is a folder');
    return {
      size: found.isFile() ? found.size : Number.POSITIVE_INFINITY,
      input: createReadStream(file, { fd: handle }),
    };
  } catch (error) {
    throw new CommandRefused(`${file} cannot be read: ${(error as Error).message}`);
  }
}
