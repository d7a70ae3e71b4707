import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { throttleKeyPlace } from '../../core/identity/throttle-key.ts';
import { secretKeysPlace } from '../../core/sealing/secret-keys.ts';
import type { Settings } from '../../core/settings/table.ts';
import { visible } from '../../core/visible.ts';
import { backUpSqlite, type OnShare, restoreSqlite } from '../../engines/backups.ts';
import { settingsFor, storeCommand } from '../../faces/cli/context.ts';
import { CommandRefused } from '../../faces/cli/failure.ts';
import { withCleanup } from '../../faces/cli/interruption.ts';
import { ProgressBar } from '../../faces/cli/progress.ts';
import { systemUser } from '../../faces/cli/record.ts';
import type { Terminal } from '../../faces/cli/terminal.ts';

/** Throws {@link CommandRefused} if the store is not the embedded one. */
function assertEmbedded({ database }: Settings): void {
  if (database !== undefined)
    throw new CommandRefused(
      "Refused: the store is in PostgreSQL. Use its own tools, such as pg_dump, or 'tessera copy' into a data folder.",
    );
}

/** Runs `work` with a progress bar. A signal stops it first, so that no incomplete file stays. */
export function withBar<T>(
  terminal: Terminal,
  word: string,
  work: (onShare: OnShare) => Promise<T>,
): Promise<T> {
  const bar = new ProgressBar(terminal);
  return withCleanup(async (interrupted) => {
    try {
      return await work((share) => {
        const signal = interrupted();
        if (signal !== undefined) throw new CommandRefused(`Given up: ${signal}.`);
        bar.show(share, word);
      });
    } finally {
      bar.clear();
    }
  });
}

/** `tessera backup` */
export function backupCommand(terminal: Terminal): Command {
  return storeCommand(terminal, 'backup', 'Write the embedded store into a file, while it serves.')
    .argument('<file>', 'The file, which must not exist yet.')
    .action(async (file: string, options) => {
      const { settings } = settingsFor(options, terminal);
      assertEmbedded(settings);
      await withBar(terminal, visible(file), (onShare) => backUpSqlite(settings.data, file, onShare));
      terminal.stdout.write(
        `${visible(`Wrote ${file} and checked it. It holds password hashes: keep it private. The key of the failure counters is not in it: keep ${throttleKeyPlace(settings.throttleKeyFile, settings.data)}, too.${secretKeysToo(settings)}`)}\n`,
      );
    });
}

/** What else has to be kept if there are authenticator apps. */
function secretKeysToo(settings: Settings): string {
  const file = secretKeysPlace(settings);
  return existsSync(file)
    ? ` Nor are the keys that decrypt the secrets of authenticator apps: keep ${file}.`
    : '';
}

function ticketsNow({ tickets }: Settings, keepTickets: boolean): string {
  if (tickets !== undefined)
    return ' The tickets are in Redis, which a restore does not change: remove its keys tessera:*, or no service starts on it.';
  return keepTickets ? ' Its tickets are as they were then.' : ' Every ticket has ended.';
}

function replaced(names: readonly string[]): string {
  if (names.length === 0) return '';
  return ` The previous database is kept as ${names.join(' and ')}, with its password hashes: remove it when you no longer need it.`;
}

function countersNow(settings: Settings): string {
  const key = throttleKeyPlace(settings.throttleKeyFile, settings.data);
  if (existsSync(key)) return '';
  return ` There is no ${key}: put the kept one there, or failures are counted anew.`;
}

/** `tessera restore` */
export function restoreCommand(terminal: Terminal): Command {
  return storeCommand(
    terminal,
    'restore',
    'Put a backup into the data folder while no service uses it. All tickets end.',
  )
    .argument('<file>', 'The backup.')
    .option('--replace', 'Replace the existing database; it is kept beside the new one.')
    .option('--keep-tickets', 'Keep the tickets of the backup live, even those that were ended since.')
    .action(async (file: string, options) => {
      const { settings } = settingsFor(options, terminal);
      assertEmbedded(settings);
      const keepTickets = options.keepTickets === true;
      const how = { replace: options.replace === true, keepTickets, actor: systemUser(), now: Date.now() };
      const files = await withBar(terminal, visible(file), (onShare) =>
        restoreSqlite(settings.data, file, how, onShare),
      );
      const messages = [ticketsNow(settings, keepTickets), replaced(files), countersNow(settings)];
      terminal.stdout.write(`${visible(`Restored ${file}.${messages.join('')}`)}\n`);
    });
}
