import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../make-folder.ts';
import { SettingsFaulty } from '../settings/read.ts';
import { type SettingKey, type Settings, variableOf } from '../settings/table.ts';
import { giveSecondName, syncToDisk } from '../storage/on-disk.ts';

/** Bytes of a key. */
export const KEY_BYTES = 32;

/** Makes a file with this text if there is none. It does so in one step, so that two processes that start together use the same key. */
export function makeKeyFile(file: string, text: () => string): void {
  if (existsSync(file)) return;
  // Random, since two containers may have the same process ids.
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  makeFolder(dirname(file));
  writeFileSync(draft, text(), { mode: 0o600, flag: 'wx', flush: true });
  try {
    giveSecondName(draft, file, 'keep the key on another');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  syncToDisk(dirname(file));
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

/** The fault of a key file that this setting names, as a fault of the settings with the mend. */
export function keyFileFault(
  key: SettingKey,
  file: string,
  error: unknown,
  settings: Settings,
): SettingsFaulty {
  return new SettingsFaulty([`${variableOf(key)}: ${file} cannot be used: ${whyNot(error, settings)}`]);
}
