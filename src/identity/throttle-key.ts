import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { syncToDisk } from '../storage/on-disk.ts';

const BYTES = 32;

/** The file that holds the key: the one that is set, or `throttle-key` in the data folder. */
export function throttleKeyFile({
  throttleKeyFile: file,
  data,
}: {
  readonly throttleKeyFile: string;
  readonly data: string;
}): string {
  return file || join(data, 'throttle-key');
}

/** Makes the file in one step, so that two processes that start together agree on one key. */
function make(file: string): void {
  // Random, since two containers may have the same process ids.
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(draft, `${randomBytes(BYTES).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  syncToDisk(dirname(file));
}

/**
 * The key of the counters, from its file (hex); made when it is missing. Kept beside the database and not in it,
 * so that a copied database does not tell what was typed into the name field.
 */
export function readThrottleKey(file: string): Buffer {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    make(file);
    text = readFileSync(file, 'utf8');
  }
  const key = Buffer.from(text.trim(), 'hex');
  if (key.length < BYTES)
    throw new Error(
      'it holds no key: write 64 hex digits, such as openssl rand -hex 32 makes, or remove it to have a key made (counters of failures start anew)',
    );
  return key;
}
