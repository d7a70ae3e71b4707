import type { Command } from 'commander';
import { UNTIL_UNLOCKED, type User } from '../../domain/user.ts';
import { HashUnreadable } from '../../identity/foreign/foreign-hash.ts';
import { readHash } from '../../identity/foreign/read.ts';
import { visible } from '../../visible.ts';
import { onStore, settingsFor, storeCommand, type Terminal } from '../context.ts';
import { print } from '../print.ts';
import { faultOfImportedName } from './import/user-line.ts';

const PAGE = 1_000;

/** The hash, if an import can read it. It cannot read another system's hash that is wrapped in argon2id. */
function readable(passwordHash: string | undefined): string | undefined {
  if (passwordHash === undefined) return undefined;
  try {
    readHash({ passwordHash });
    return passwordHash;
  } catch (error) {
    if (error instanceof HashUnreadable) return undefined;
    throw error;
  }
}

/** Counts of users that an import would make different. */
interface Lost {
  name: number;
  hash: number;
  password: number;
  lock: number;
}

/**
 * The line of a user for `users import`. A user who is locked by hand is written as disabled. Counts what the line
 * cannot carry.
 */
function lineOf(user: User, lost: Lost): string {
  const { name, administrator, passwordHash } = user;
  if (faultOfImportedName(name) !== undefined) lost.name += 1;
  const hash = readable(passwordHash);
  const locked = user.lockedUntil === UNTIL_UNLOCKED;
  if (passwordHash === undefined) lost.password += 1;
  else if (hash === undefined) lost.hash += 1;
  if (locked) lost.lock += 1;
  const disabled = user.disabled || locked;
  return `${visible(JSON.stringify({ name, administrator, disabled, passwordHash: hash }))}\n`;
}

/** The text about users that an import would make different. */
function summary({ name, hash, password, lock }: Lost): string {
  const lines = [
    [name, "with a name that an import refuses, as with white space at an end: 'tessera users add' takes it"],
    [
      hash,
      "without the hash, since no import reads it before the next login here: import the line with --without-hash, and give a password with 'tessera users passwd'",
    ],
    [password, "without a password: 'tessera users add --no-password' makes such a user"],
    [lock, 'without the lock by hand, printed as disabled in its place'],
  ] as const;
  return lines
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count === 1 ? '1 user' : `${count} users`} ${what}.\n`)
    .join('');
}

/** `tessera users export` */
export function exportCommand(terminal: Terminal): Command {
  return storeCommand(
    'export',
    'Print every user, one JSON object a line, as import reads it. With hashes of passwords: keep it private.',
  ).action(async (options) => {
    const { settings } = settingsFor(options, terminal);
    await onStore(settings, async (store) => {
      const lost: Lost = { name: 0, hash: 0, password: 0, lock: 0 };
      let page: User[] = [];
      do {
        const after = page.at(-1);
        page = await store.read((unit) => unit.users.page(after, PAGE));
        const lines = page.map((user) => lineOf(user, lost)).join('');
        if (!(await print(terminal, lines))) return;
      } while (page.length === PAGE);
      terminal.stderr.write(summary(lost));
    });
  });
}
