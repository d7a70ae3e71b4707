import { createHmac } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { throttleKeyFor, throttleKeyPlace } from '../../core/identity/throttle-key.ts';
import { hasSecretKeys, secretKeysOf, secretKeysPlace } from '../../core/sealing/secret-keys.ts';
import { type Settings, variableOf } from '../../core/settings/table.ts';
import {
  type CheckResult,
  type DoctorCheck,
  messageOf,
  ok,
  orOk,
  sentence,
  skipped,
  warning,
} from '../../faces/cli/doctor-check.ts';

/** Eight digits by which two machines can tell whether they have the same key. They do not lead back to it. */
const fingerprint = (key: Buffer) =>
  createHmac('sha256', key).update('tessera doctor').digest('hex').slice(0, 8);

const OF_OTHERS = 0o007;
const WRITABLE = 0o022;

/** Whether users other than the owner and its group may use the file, or others may change it. */
function modeFinding(file: string, from: string): CheckResult | undefined {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & (OF_OTHERS | WRITABLE)) === 0) return undefined;
  return warning(
    `other users of this machine may use ${file} (mode ${(mode & 0o777).toString(8)}), which holds a secret (${from})`,
    `close it with chmod 600 '${file}'`,
  );
}

interface KeyFile {
  readonly name: string;
  readonly file: string;
  /** Whether a start of the service makes a missing one. */
  readonly isMade: boolean;
  read(): Buffer;
}

function keyFilesOf(settings: Settings): readonly KeyFile[] {
  const isMade = settings.database === undefined;
  const throttle: KeyFile = {
    name: 'the key of the failure counters',
    file: throttleKeyPlace(settings.throttleKeyFile, settings.data),
    isMade,
    read: () => throttleKeyFor(settings, 'command'),
  };
  const secrets: KeyFile = {
    name: 'the key of the second factors',
    file: secretKeysPlace(settings),
    isMade,
    read: () => secretKeysOf(settings, 'command', Date.now())[0]?.key as Buffer,
  };
  return hasSecretKeys(settings) ? [throttle, secrets] : [throttle];
}

function resultsOf({ name, file, isMade, read }: KeyFile): readonly CheckResult[] {
  if (isMade && !existsSync(file)) return [skipped(`there is no ${file} yet: the service makes it`)];
  try {
    const digits = fingerprint(read());
    const mode = modeFinding(file, name);
    return [
      ok(`${name} has the fingerprint ${digits}: it has to be the same on all machines`),
      ...(mode ? [mode] : []),
    ];
  } catch (error) {
    return [sentence('fault', messageOf(error))];
  }
}

/**
 * The document, if it has secrets in it, and the files of secrets that it names. The check of its capability tells what is wrong with
 * it.
 */
function secretFilesOf(document: string): ReadonlySet<string> {
  const files = new Set<string>();
  try {
    JSON.parse(readFileSync(document, 'utf8'), (member, value) => {
      if (member === 'secrets') files.add(document);
      else if (/^(?:clientS|s)ecretFile$/.test(member)) files.add(resolve(dirname(document), String(value)));
      return value;
    });
  } catch {
    return files;
  }
  return files;
}

/** The files of keys and secrets: whether they can be read, and by whom. */
export const keyFilesCheck: DoctorCheck = {
  name: 'key files',
  page: 'docs/how-to/change-secrets.md',
  async look({ settings, table, files }) {
    const keys = keyFilesOf(settings).flatMap(resultsOf);
    const documents = table.secretDocuments
      .filter((key) => settings[key] !== '')
      .flatMap((key) =>
        [...secretFilesOf(String(settings[key]))].map((file) => ({ file, from: variableOf(key) })),
      );
    const all = [...files, ...documents];
    if (all.length === 0) return keys;
    const modes = all.flatMap(({ file, from }) => modeFinding(file, from) ?? []);
    return [...keys, ...orOk(modes, `${all.length} files of settings and secrets are closed to other users`)];
  },
};
