import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KEY_BYTES, keyFileFault, makeKeyFile } from '../sealing/key-file.ts';
import type { Settings } from '../settings/table.ts';

/** The file that holds the key: the one that is set, or `throttle-key` in the data folder. */
export function throttleKeyPlace(set: string, data: string): string {
  return set || join(data, 'throttle-key');
}

/** Makes a key if there is no file. */
export function makeThrottleKey(file: string): void {
  makeKeyFile(file, () => `${randomBytes(KEY_BYTES).toString('hex')}\n`);
}

/**
 * The key of the counters, from its file (hex). It is kept beside the database and not in it, so that a copied database does
 * not show what was typed into the name field.
 */
export function readThrottleKey(file: string): Buffer {
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex');
  if (key.length < KEY_BYTES)
    throw new Error(
      'it holds no key: put the kept one there, or write 64 hex digits, such as openssl rand -hex 32 makes (counters of failures start anew)',
    );
  return key;
}

/**
 * The key of the counters, as it is set. The service makes a missing key for its own embedded store. It makes none for a
 * shared database, since all instances must have the same key, and a command makes none, since it must have the key of the
 * service. Throws `SettingsFaulty` if there is no key.
 */
export function throttleKeyFor(settings: Settings, use: 'service' | 'command'): Buffer {
  const file = throttleKeyPlace(settings.throttleKeyFile, settings.data);
  try {
    if (use === 'service' && settings.database === undefined) makeThrottleKey(file);
    return readThrottleKey(file);
  } catch (error) {
    throw keyFileFault('throttleKeyFile', file, error, settings);
  }
}
