import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { throttleKeyPlace } from '../../../core/identity/throttle-key.ts';
import type { PartName } from '../../../core/storage/transfer.ts';
import type { StoreLocation, TransferSource } from '../../../core/storage/transfer-sides.ts';
import { visibleLines } from '../../../core/visible.ts';
import { CommandRefused, WrongUsage } from '../../../faces/cli/failure.ts';
import { passwordIn } from '../../../faces/cli/password.ts';
import { ProgressBar } from '../../../faces/cli/progress.ts';
import type { Terminal } from '../../../faces/cli/terminal.ts';
import { type Copied, copyStore } from '../moving/copy.ts';

/** The names of the copied parts, for people. */
const WORDS: Readonly<Partial<Record<PartName, string>>> = {
  users: 'users',
  clients: 'clients',
  tickets: 'tickets',
  attempts: 'failure counters',
  familiar_addresses: 'familiar addresses',
  nodes: 'nodes',
  events: 'events',
};

/** The store that a flag names. Errors do not show the text, since it may hold a password. */
function placeIn(text: string, flag: '--from' | '--to', passwordFile: string | undefined): StoreLocation {
  const folder = /^sqlite:(?!\/\/(?!\/))(.+)$/.exec(text)?.[1];
  if (folder !== undefined && passwordFile !== undefined) {
    const other = flag === '--from' ? '--to' : '--from';
    throw new WrongUsage(
      `${flag}-password-file: a data folder has no password: leave it out, or name the password of the other side by ${other}-password-file.`,
    );
  }
  if (folder !== undefined) return { engine: 'sqlite', folder };
  if (!/^postgres(ql)?:\/\/./.test(text))
    throw new WrongUsage(
      `${flag}: write sqlite: and a data folder, such as sqlite:./data, or a URL such as postgres://user@host:5432/tessera.`,
    );
  const password = passwordFile === undefined ? undefined : passwordIn(passwordFile, `${flag}-password-file`);
  return { engine: 'postgres', url: text, password };
}

function summary({ rows, changed }: Copied): string {
  const counts = Object.entries(WORDS).map(([part, word]) => `${word}: ${rows.get(part as PartName)}`);
  return `Counts and digests agree. ${counts.join(', ')}; rows written or removed: ${changed}.\n`;
}

const keyIn = (folder: string) => throttleKeyPlace('', folder);

/**
 * What the operator has to do about the key of the failure counters: it is not in the database, so it is not copied.
 */
function aboutTheKey(from: StoreLocation, to: StoreLocation): string {
  const key =
    from.engine === 'sqlite' && existsSync(keyIn(from.folder))
      ? keyIn(from.folder)
      : 'the file in TESSERA_THROTTLE_KEY_FILE';
  const place =
    to.engine === 'sqlite'
      ? `copy it to ${keyIn(to.folder)}`
      : 'name a copy of it in TESSERA_THROTTLE_KEY_FILE of every instance';
  return `Take the key of the failure counters along, ${key}: ${place}. Without it failures are counted anew.\n`;
}

/** As {@link aboutTheKey}, for the keys that decrypt the secrets of authenticator apps; empty if there is none. */
function aboutSecretKeys({ rows }: Copied, to: StoreLocation): string {
  if ((rows.get('totp_secrets') ?? 0) === 0) return '';
  const place =
    to.engine === 'sqlite'
      ? `copy it to ${join(to.folder, 'secret-keys')}`
      : 'name a copy of it in TESSERA_SECRET_KEYS_FILE of every instance';
  return `Take the keys that decrypt the secrets of authenticator apps along, the file in TESSERA_SECRET_KEYS_FILE or secret-keys in the data folder: ${place}. Without it these apps are refused.\n`;
}

async function copied(source: TransferSource, to: StoreLocation, terminal: Terminal): Promise<Copied> {
  const target = await terminal.targetAt(to, source);
  const bar = new ProgressBar(terminal);
  try {
    return await copyStore(source, target, (share, part) => bar.show(share, WORDS[part] ?? 'the rest'));
  } finally {
    bar.clear();
    await target.close();
  }
}

/** `tessera copy` */
export function copyCommand(terminal: Terminal): Command {
  return new Command('copy')
    .description(
      'Copy a store to another engine: users, groups, API keys, clients, tickets, counters, nodes, events.',
    )
    .requiredOption('--from <place>', 'sqlite: and a data folder, or the URL of a PostgreSQL database.')
    .requiredOption('--to <place>', 'The same, of one that is empty.')
    .option('--from-password-file <file>', "File with the database's password, in place of one in the URL.")
    .option('--to-password-file <file>', "File with the database's password, in place of one in the URL.")
    .action(async ({ from, to, fromPasswordFile, toPasswordFile }: Record<string, string>) => {
      const places = {
        from: placeIn(from as string, '--from', fromPasswordFile),
        to: placeIn(to as string, '--to', toPasswordFile),
      };
      const source = await terminal.sourceAt(places.from);
      try {
        const report = await copied(source, places.to, terminal);
        terminal.stdout.write(summary(report));
        if (source.inUse !== undefined)
          throw new CommandRefused(
            `Not finished: ${source.inUse}, so that what is written from now on would be lost. Stop whatever uses ${source.label}, and give the command again: only what has changed is copied then. No service starts on the copy until that is done.`,
          );
        terminal.stdout.write(
          visibleLines(aboutTheKey(places.from, places.to) + aboutSecretKeys(report, places.to)),
        );
      } finally {
        await source.close();
      }
    });
}
