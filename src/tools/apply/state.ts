import type { Command } from 'commander';
import { readableHash } from '../../capabilities/migration/foreign/read.ts';
import type { Application } from '../../capabilities/oidc-provider/application.ts';
import type { ApiKey } from '../../core/domain/api-key.ts';
import type { RegisteredClient } from '../../core/domain/client.ts';
import { isoTime } from '../../core/domain/iso-time.ts';
import { isLockedByHand, isPasswordless, type User } from '../../core/domain/user.ts';
import type { ReadUnit } from '../../core/storage/store.ts';
import { visible } from '../../core/visible.ts';
import { onStore, settingsFor, storeCommand } from '../../faces/cli/context.ts';
import { CommandRefused } from '../../faces/cli/failure.ts';
import { print } from '../../faces/cli/print.ts';
import type { Terminal } from '../../faces/cli/terminal.ts';
import type { StateEntry } from './document.ts';
import { rulesIn } from './gate-rules-file.ts';
import { allGroups } from './groups.ts';
import { prepareFile } from './prepared-file.ts';
import { readAll, type StoredPerson, storedPeople } from './stored-people.ts';

/** How many users are read at a time. */
const PAGE = 1_000;

/** A list of the document, with its entries in pages. */
type ListInPages = readonly [
  name: string,
  pages: AsyncIterable<readonly unknown[]> | Iterable<readonly unknown[]>,
];

/** How many users the document cannot say everything about. */
interface UsersLacking {
  passwordless: number;
  hash: number;
}

/**
 * The entry of a user. It says what may safely be made so again: a user who was disabled since is not enabled by it, and what
 * another system keeps is not in it.
 */
function userEntry(person: StoredPerson, lacking: UsersLacking): StateEntry<'users'> {
  const { user, profile, role = 'none', groups, identity, isKeptElsewhere } = person;
  const { name, disabled, mustChangePassword } = user;
  const passwordHash = readableHash(user.passwordHash);
  if (isPasswordless(user)) lacking.passwordless += 1;
  else if (user.passwordHash !== undefined && passwordHash === undefined) lacking.hash += 1;
  return {
    name,
    role,
    groups: [...groups],
    ...(disabled && !identity?.disabledThere && { disabled }),
    ...(isLockedByHand(user) && { locked: true }),
    ...(passwordHash !== undefined && { passwordHash }),
    ...(mustChangePassword && { mustChangePassword }),
    ...(identity !== undefined && { provider: identity.provider, subject: identity.subject }),
    ...(!isKeptElsewhere && profile),
  };
}

async function groupEntries(unit: ReadUnit): Promise<StateEntry<'groups'>[]> {
  return readAll(await allGroups(unit), async ({ id, name, displayName, role = 'none' }) => {
    const outer = await unit.groups.containing(id);
    return { name, displayName, role, groups: outer.map((each) => each.name) };
  });
}

const clientEntries = ({ name, secretDigest }: RegisteredClient): StateEntry<'clients'>[] =>
  secretDigest === undefined ? [] : [{ name, secretDigest: secretDigest.toString('hex') }];

const applicationEntry = ({ name, secretDigest, settings }: Application): StateEntry<'applications'> => ({
  name,
  ...(secretDigest !== undefined && { secretDigest: secretDigest.toString('hex') }),
  settings,
});

const apiKeyEntry = ({ name, digest, role, expiresAt }: ApiKey): StateEntry<'apiKeys'> => ({
  name,
  digest: digest.toString('hex'),
  role,
  ...(expiresAt !== undefined && { expiresAt: isoTime(expiresAt) }),
});

async function* userPages({ users }: ReadUnit): AsyncGenerator<readonly User[]> {
  for (let page: User[] | undefined; page === undefined || page.length === PAGE; ) {
    page = await users.page(page?.at(-1), PAGE);
    yield page;
  }
}

/**
 * The entries of all users, read in pages, so that memory grows by their ids only. Pages go by name: refuses if a user got another
 * one meanwhile, by which the user is left out, or is there twice.
 */
export async function* userEntries(
  unit: ReadUnit,
  lacking: UsersLacking,
): AsyncGenerator<StateEntry<'users'>[]> {
  const renamed = new CommandRefused('A user was renamed while the users were read: run it again.');
  const count = await unit.users.count();
  const [newest] = await unit.users.pageByNumber(Math.max(0, count - 1), 1);
  const seen = new Set<number>();
  for await (const page of userPages(unit)) {
    for (const { id } of page) if (seen.size === seen.add(id).size) throw renamed;
    yield (await storedPeople(unit, page)).map((person) => userEntry(person, lacking));
  }
  for await (const page of userPages(unit))
    if (page.some(({ id }) => !seen.has(id) && id <= (newest?.id ?? 0))) throw renamed;
}

/** The entries of each list, in pages. */
async function* storedLists(
  unit: ReadUnit,
  gateRules: string,
  lacking: UsersLacking,
): AsyncGenerator<ListInPages> {
  const applications = await unit.applications.list();
  const names = new Set(applications.map(({ name }) => name));
  const clients = (await unit.clients.list()).filter(({ name }) => !names.has(name)).flatMap(clientEntries);
  const rules = gateRules === '' ? undefined : rulesIn(gateRules)?.rules;
  yield ['groups', [await groupEntries(unit)]];
  yield ['users', userEntries(unit, lacking)];
  yield ['clients', [clients]];
  yield ['applications', [applications.map(applicationEntry)]];
  yield ['apiKeys', [(await unit.apiKeys.list()).map(apiKeyEntry)]];
  if (rules !== undefined) yield ['gateRules', [rules]];
}

/** JSON in parts, with each entry of a list on its own line, so that differences of two files are of entries. */
async function* written(lists: AsyncIterable<ListInPages>): AsyncGenerator<string> {
  let before = '{';
  for await (const [list, pages] of lists) {
    yield `${before}\n  "${list}": [`;
    let comma = '';
    for await (const page of pages) {
      let text = '';
      for (const entry of page) {
        text += `${comma}\n    ${visible(JSON.stringify(entry))}`;
        comma = ',';
      }
      yield text;
    }
    before = `${comma === '' ? '' : '\n  '}],`;
  }
  yield `${before.slice(0, -1)}\n}\n`;
}

const users = (count: number) => (count === 1 ? '1 user' : `${count} users`);

function notes({ passwordless, hash }: UsersLacking): string {
  const told: string[] = [];
  if (passwordless > 0)
    told.push(
      `${users(passwordless)} without a password: where the file adds such a user, it cannot log in before 'tessera users passwd'.\n`,
    );
  if (hash > 0)
    told.push(
      `${users(hash)} without the hash of the password, since no file carries it before the next login: where the file adds such a user, give a password with 'tessera users passwd'.\n`,
    );
  return told.join('');
}

/** Writes a private file of the text that comes in parts, completely or not at all. */
async function writeFileOf(
  file: string,
  write: (take: (text: string) => void) => Promise<void>,
): Promise<void> {
  const prepared = prepareFile(file, '', true);
  try {
    await write(prepared.append);
    prepared.replace();
  } finally {
    prepared.discard();
  }
}

/** `tessera state` */
export function stateCommand(terminal: Terminal): Command {
  return storeCommand(
    terminal,
    'state',
    "Print users, groups, clients, applications, API keys and gate rules as 'tessera apply' reads them. With hashes of passwords: keep it private.",
  )
    .argument('[file]', 'The file to write, which only you can read; standard output without it.')
    .option('--rules <file>', "The document of the gate's rules; by default that of the settings.")
    .action(async (file: string | undefined, options) => {
      const { settings } = settingsFor(options, terminal);
      const rules = options.rules ?? settings.gateRules;
      const lacking = { passwordless: 0, hash: 0 };
      if (file === '') throw new CommandRefused('The name of the file is empty: give one.');
      const write = (take: (text: string) => unknown) =>
        onStore(terminal, settings, (store) =>
          store.read(async (unit) => {
            for await (const text of written(storedLists(unit, rules, lacking)))
              if ((await take(text)) === false) return;
          }),
        );
      if (file === undefined) await write((text) => print(terminal, text));
      else await writeFileOf(file, write);
      terminal.stderr.write(notes(lacking));
    });
}
