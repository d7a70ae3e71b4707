import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../make-folder.ts';
import { giveSecondName, syncToDisk } from '../storage/on-disk.ts';

const BYTES = 32;

/** The file that holds the key: the one that is set, or `throttle-key` in the data folder. */
export function throttleKeyPlace(set: string, data: string): string {
  return set || join(data, 'throttle-key');
}

/** Makes a key where there is no file, in one step, so that two processes that start together agree on one key. */
export function makeThrottleKey(file: string): void {
  if (existsSync(file)) return;
  // Random, since two containers may have the same process ids.
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  makeFolder(dirname(file));
  writeFileSync(draft, `${randomBytes(BYTES).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    giveSecondName(draft, file, 'keep the key on another');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  syncToDisk(dirname(file));
}

/**
 * The key of the counters, from its file (hex). Kept beside the database and not in it, so that a copied database
 * does not tell what was typed into the name field.
 */
export function readThrottleKey(file: string): Buffer {
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex');
  if (key.length < BYTES)
    throw new Error(
      'it holds no key: put the kept one there, or write 64 hex digits, such as openssl rand -hex 32 makes (counters of failures start anew)',
    );
  return key;
}
