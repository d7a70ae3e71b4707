import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../make-folder.ts';
import { SettingsFaulty } from '../settings/read.ts';
import { type Settings, variableOf } from '../settings/table.ts';
import { giveSecondName, syncToDisk } from '../storage/on-disk.ts';

const BYTES = 32;

/** The file that holds the key: the one that is set, or `throttle-key` in the data folder. */
export function throttleKeyPlace(set: string, data: string): string {
  return set || join(data, 'throttle-key');
}

/** Makes a key if there is no file. It does so in one step, so that two processes that start together use the same key. */
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
 * The key of the counters, from its file (hex). It is kept beside the database and not in it, so that a copied database does
 * not show what was typed into the name field.
 */
export function readThrottleKey(file: string): Buffer {
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex');
  if (key.length < BYTES)
    throw new Error(
      'it holds no key: put the kept one there, or write 64 hex digits, such as openssl rand -hex 32 makes (counters of failures start anew)',
    );
  return key;
}

/** What the operator has to do if the file is missing and is not made. */
function mendOf({ database }: Settings): string {
  return database === undefined
    ? 'name the one of the service, or start the service, which makes it'
    : 'copy that of the other instances, or for the first one write 64 hex digits, such as openssl rand -hex 32 makes';
}

/** What the system's errors about the file mean for the operator. */
const FILE_FAULTS: Record<string, string> = {
  EACCES: 'give it to the user that the service runs as, and run commands as that user',
  EISDIR: 'it is a folder: name the file in it',
};

function whyNot(error: unknown, settings: Settings): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' ? `there is no such file: ${mendOf(settings)}` : (FILE_FAULTS[code] ?? message);
}

/**
 * The key of the counters, as it is set. The service makes a missing key for its own embedded store. It makes none for a
 * shared database, since all instances must have the same key, and a command makes none, since it must have the key of the
 * service. Throws {@link SettingsFaulty} if there is no key.
 */
export function throttleKeyFor(settings: Settings, use: 'service' | 'command'): Buffer {
  const file = throttleKeyPlace(settings.throttleKeyFile, settings.data);
  try {
    if (use === 'service' && settings.database === undefined) makeThrottleKey(file);
    return readThrottleKey(file);
  } catch (error) {
    throw new SettingsFaulty([
      `${variableOf('throttleKeyFile')}: ${file} cannot be used: ${whyNot(error, settings)}`,
    ]);
  }
}
