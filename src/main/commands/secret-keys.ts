import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { signingKeyPurpose } from '../../capabilities/oidc-provider/identifiers.ts';
import { isoTime } from '../../core/domain/iso-time.ts';
import { totpPurpose } from '../../core/domain/second-factor.ts';
import { keyIdOf, Sealer, type SealingKey } from '../../core/sealing/sealer.ts';
import { addSecretKey, dropOldKeys, secretKeysOf, secretKeysPlace } from '../../core/sealing/secret-keys.ts';
import type { Settings } from '../../core/settings/table.ts';
import type { Store } from '../../core/storage/store.ts';
import { onStore, settingsFor, storeCommand } from '../../faces/cli/context.ts';
import { printList } from '../../faces/cli/print.ts';
import type { Terminal } from '../../faces/cli/terminal.ts';

/** Secrets that are read in one unit. */
const PAGE = 100;

/** How many secrets each key has encrypted, by its id: of authenticator apps, and keys that sign tokens. */
async function secretsByKey(store: Store): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { sealed } of await store.read(({ signingKeys }) => signingKeys.list())) {
    const id = keyIdOf(sealed) ?? '';
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  for (let after = 0, more = true; more; ) {
    const page = await store.read((unit) => unit.totpSecrets.page(after, PAGE));
    for (const { secret } of page) {
      const id = keyIdOf(secret) ?? '';
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    more = page.length === PAGE;
    after = page.at(-1)?.userId ?? 0;
  }
  return counts;
}

/** The outcome of a run over all secrets. */
interface EncryptedAnew {
  /** How many were encrypted anew. */
  readonly changed: number;
  /** How many could not be decrypted, since their key is gone. */
  readonly unreadable: number;
}

/**
 * Encrypts every secret with the first key, while the service runs: those of authenticator apps, and keys that sign tokens. `firstKey` is its id: secrets that
 * have it stay as they are.
 */
async function encryptAnew(store: Store, sealer: Sealer, firstKey: string): Promise<EncryptedAnew> {
  let changed = 0;
  let unreadable = 0;
  for (let after = 0, more = true; more; ) {
    const page = await store.write(async ({ totpSecrets }) => {
      const secrets = await totpSecrets.page(after, PAGE);
      for (const { userId, secret } of secrets) {
        if (keyIdOf(secret) === firstKey) continue;
        const opened = sealer.open(totpPurpose(userId), secret);
        if (opened === undefined) unreadable += 1;
        else if (await totpSecrets.encryptAnew(userId, secret, sealer.seal(totpPurpose(userId), opened)))
          changed += 1;
      }
      return secrets;
    });
    more = page.length === PAGE;
    after = page.at(-1)?.userId ?? 0;
  }
  const signing = await encryptSigningKeysAnew(store, sealer, firstKey);
  return { changed: changed + signing.changed, unreadable: unreadable + signing.unreadable };
}

/** The same for the keys that sign tokens, of which there are a few. */
function encryptSigningKeysAnew(store: Store, sealer: Sealer, firstKey: string): Promise<EncryptedAnew> {
  return store.write(async ({ signingKeys }) => {
    let changed = 0;
    let unreadable = 0;
    for (const { kid, sealed } of await signingKeys.list()) {
      if (keyIdOf(sealed) === firstKey) continue;
      const purpose = signingKeyPurpose(kid);
      const opened = sealer.open(purpose, sealed);
      if (opened === undefined) unreadable += 1;
      else if (await signingKeys.encryptAnew(kid, sealed, sealer.seal(purpose, opened))) changed += 1;
    }
    return { changed, unreadable };
  });
}

const NO_KEY_YET =
  'There is no key yet: the service makes it for the first authenticator app. The store has no secret to encrypt.\n';

/** Whether the service has not made its keys yet. A missing file of keys that secrets need is a fault, and not this. */
async function hasNoKeyYet(settings: Settings, store: Store): Promise<boolean> {
  if (settings.database !== undefined || existsSync(secretKeysPlace(settings))) return false;
  return (await secretsByKey(store)).size === 0;
}

function listCommand(terminal: Terminal): Command {
  return storeCommand(
    terminal,
    'list',
    'List the keys: the first one encrypts, all decrypt.',
    'secretKeysFile',
  )
    .option('--json', 'As JSON.')
    .action(async (options) => {
      const { settings } = settingsFor(options, terminal);
      await onStore(terminal, settings, async (store, clock) => {
        const none = await hasNoKeyYet(settings, store);
        if (none) terminal.stderr.write(NO_KEY_YET);
        const keys = none ? [] : secretKeysOf(settings, 'command', clock());
        const counts = await secretsByKey(store);
        const rows = keys.map(({ id, madeAt }) => ({
          id,
          made: isoTime(madeAt),
          secrets: counts.get(id) ?? 0,
        }));
        await printList(terminal, ['id', 'made', 'secrets'], [rows], options.json === true);
        const ids = new Set(keys.map(({ id }) => id));
        const lost = [...counts].reduce((sum, [id, count]) => (ids.has(id) ? sum : sum + count), 0);
        if (lost > 0) terminal.stderr.write(`${unreadableText(settings, lost)}\n`);
      });
    });
}

const secrets = (count: number) => (count === 1 ? '1 secret' : `${count} secrets`);

function unreadableText(settings: Settings, count: number): string {
  return `No key decrypts ${secrets(count)} of authenticator apps: put the kept keys back into ${secretKeysPlace(settings)}, or reset the second factor of each user with 'tessera users second-factor reset'.`;
}

/** Encrypts all secrets with the first key and, if asked to, drops the other keys. Tells what it did. */
async function encryptWith(
  terminal: Terminal,
  { settings, store, dropsOld }: { settings: Settings; store: Store; dropsOld: boolean },
  keys: readonly SealingKey[],
): Promise<void> {
  const now = Date.now();
  const sealer = new Sealer(() => keys);
  const { id } = keys[0] as SealingKey;
  const first = await encryptAnew(store, sealer, id);
  // Before the service read the new file, it may have encrypted a secret with the old first key.
  const { changed, unreadable } = await encryptAnew(store, sealer, id);
  terminal.stdout.write(`Encrypted ${secrets(first.changed + changed)} anew with the key ${id}.\n`);
  if (unreadable > 0) terminal.stderr.write(`${unreadableText(settings, unreadable)}\n`);
  if (!dropsOld) return;
  dropOldKeys(settings, now);
  terminal.stdout.write(`Dropped every other key.\n`);
}

const dropOld = [
  '--drop-old',
  'Then drop all other keys. Older backups cannot be decrypted without them.',
] as const;

/** A command that encrypts all secrets with the first of these keys, if there are any. */
function encryptingCommand(
  terminal: Terminal,
  name: string,
  about: string,
  keysFor: (settings: Settings, now: number) => readonly SealingKey[],
): Command {
  return storeCommand(terminal, name, about, 'secretKeysFile')
    .option(...dropOld)
    .action(async (options) => {
      const { settings } = settingsFor(options, terminal);
      await onStore(terminal, settings, async (store, clock) => {
        if (await hasNoKeyYet(settings, store)) {
          terminal.stdout.write(NO_KEY_YET);
          return;
        }
        const dropsOld = options.dropOld === true;
        await encryptWith(terminal, { settings, store, dropsOld }, keysFor(settings, clock()));
      });
    });
}

const rotateCommand = (terminal: Terminal) =>
  encryptingCommand(terminal, 'rotate', 'Add a new key, and encrypt all secrets with it.', addSecretKey);

const encryptCommand = (terminal: Terminal) =>
  encryptingCommand(
    terminal,
    'encrypt',
    'Encrypt all secrets with the first key of the file.',
    (settings, now) => secretKeysOf(settings, 'command', now),
  );

/** `tessera secret-keys` */
export function secretKeysCommand(terminal: Terminal): Command {
  return new Command('secret-keys')
    .description('The keys that encrypt the secrets of authenticator apps in the store.')
    .addCommand(listCommand(terminal))
    .addCommand(rotateCommand(terminal))
    .addCommand(encryptCommand(terminal));
}
