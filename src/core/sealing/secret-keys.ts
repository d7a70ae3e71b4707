import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Settings } from '../settings/table.ts';
import { syncToDisk } from '../storage/on-disk.ts';
import { KEY_BYTES, keyFileFault, makeKeyFile } from './key-file.ts';
import { Sealer, type SealingKey, sealingKey } from './sealer.ts';

/** The file of the keys that encrypt secrets in the store: that of the settings, or `secret-keys` in the data folder. */
export function secretKeysPlace({ secretKeysFile, data }: Settings): string {
  return secretKeysFile || join(data, 'secret-keys');
}

const LINE = /^([0-9a-f]{64,})(?:\s+(\S+))?$/i;

/** A key as a line of the file: hex digits, and when it was made. */
const lineOf = ({ key, madeAt }: SealingKey) =>
  `${key.toString('hex')}${madeAt === undefined ? '' : ` ${new Date(madeAt).toISOString()}`}\n`;

const newKey = (now: number) => sealingKey(randomBytes(KEY_BYTES), now);

/** The keys in the text of the file, one on each line. Throws if a line holds no key, or if there is none. */
function keysIn(text: string): readonly SealingKey[] {
  const lines = text.split('\n').map((line) => line.trim());
  const keys = lines.flatMap((line, at) => {
    if (line === '') return [];
    const [, digits, createdAt] = LINE.exec(line) ?? [];
    const madeAt = createdAt === undefined ? undefined : Date.parse(createdAt);
    if (digits === undefined || digits.length % 2 === 1 || Number.isNaN(madeAt))
      throw new Error(
        `line ${at + 1} holds no key: it has 64 hex digits, and may have the time when it was made`,
      );
    return [sealingKey(Buffer.from(digits, 'hex'), madeAt)];
  });
  if (keys.length > 0) return keys;
  throw new Error(
    'it holds no key: put the kept one there, or write 64 hex digits, such as openssl rand -hex 32 makes (users then register their authenticator apps anew)',
  );
}

/** Whether secrets can be encrypted: a shared database needs a file that all instances have. */
export const hasSecretKeys = ({ database, secretKeysFile }: Settings): boolean =>
  database === undefined || secretKeysFile !== '';

/**
 * The keys that encrypt secrets in the store, as their file has them now; the first one encrypts. The service makes the file
 * for its own embedded store, if there is none. Throws `SettingsFaulty` if there are no keys.
 */
export function secretKeysOf(
  settings: Settings,
  use: 'service' | 'command',
  now: number,
): readonly SealingKey[] {
  const file = secretKeysPlace(settings);
  try {
    if (use === 'service' && settings.database === undefined) makeKeyFile(file, () => lineOf(newKey(now)));
    return keysIn(readFileSync(file, 'utf8'));
  } catch (error) {
    throw keyFileFault('secretKeysFile', file, error, settings);
  }
}

/**
 * What encrypts secrets in the store; undefined if it has no keys (see {@link hasSecretKeys}). It reads the file for each
 * secret, so that a rotated key counts in all processes at once.
 */
export function secretSealer(settings: Settings, clock: () => number): Sealer | undefined {
  return hasSecretKeys(settings) ? new Sealer(() => secretKeysOf(settings, 'service', clock())) : undefined;
}

/** Replaces the keys in the file, all or nothing. */
function writeKeys(file: string, keys: readonly SealingKey[]): void {
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  try {
    writeFileSync(draft, keys.map(lineOf).join(''), { mode: 0o600, flag: 'wx', flush: true });
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
  syncToDisk(dirname(file));
}

/** Adds a new key in front, which encrypts from then on. Returns all keys. Throws `SettingsFaulty` if the file cannot be changed. */
export function addSecretKey(settings: Settings, now: number): readonly SealingKey[] {
  return changed(settings, [newKey(now), ...secretKeysOf(settings, 'command', now)]);
}

/** Keeps the first key alone. Throws `SettingsFaulty` if the file cannot be changed. */
export function dropOldKeys(settings: Settings, now: number): readonly SealingKey[] {
  return changed(settings, secretKeysOf(settings, 'command', now).slice(0, 1));
}

function changed(settings: Settings, keys: readonly SealingKey[]): readonly SealingKey[] {
  const file = secretKeysPlace(settings);
  try {
    writeKeys(file, keys);
    return keys;
  } catch (error) {
    throw keyFileFault('secretKeysFile', file, error, settings);
  }
}
