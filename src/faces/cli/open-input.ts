import { createReadStream, fstatSync, openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { CommandRefused } from './failure.ts';
import type { Terminal } from './terminal.ts';

/** Opens a file to import, or standard input for `-`. The size is known only for a regular file. */
export function openInput(file: string, terminal: Terminal): { input: Readable; size: number } {
  if (file === '-') return { input: terminal.stdin, size: Number.POSITIVE_INFINITY };
  try {
    // Opens the file now, so that a fault is thrown here. A stream would report it before anybody listens.
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
