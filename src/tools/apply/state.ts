import type { Command } from 'commander';
import { readableHash } from '../../capabilities/migration/foreign/read.ts';
import type { Application } from '../../capabilities/oidc-provider/application.ts';
import type { ApiKey } from '../../core/domain/api-key.ts';
import type { RegisteredClient } from '../../core/domain/client.ts';
import { isLockedByHand, isPasswordless } from '../../core/domain/user.ts';
import type { ReadUnit, Store } from '../../core/storage/store.ts';
import { visible } from '../../core/visible.ts';
import { onStore, settingsFor, storeCommand } from '../../faces/cli/context.ts';
import { CommandRefused } from '../../faces/cli/failure.ts';
import { print, time } from '../../faces/cli/print.ts';
import type { Terminal } from '../../faces/cli/terminal.ts';
import type { StateDocument, StateEntry } from './document.ts';
import { rulesIn } from './gate-rules-file.ts';
import { allGroups } from './groups.ts';
import { prepareFile } from './prepared-file.ts';
import { readAll, type StoredPerson, storedPeople } from './stored-people.ts';

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
  ...(expiresAt !== undefined && { expiresAt: time(expiresAt) }),
});

function storedState(store: Store, gateRules: string, lacking: UsersLacking): Promise<StateDocument> {
  return store.read(async (unit) => {
    const people = await storedPeople(unit, await unit.users.list());
    const applications = await unit.applications.list();
    const names = new Set(applications.map(({ name }) => name));
    const rules = gateRules === '' ? undefined : rulesIn(gateRules)?.rules;
    return {
      groups: await groupEntries(unit),
      users: people.map((person) => userEntry(person, lacking)),
      clients: (await unit.clients.list()).filter(({ name }) => !names.has(name)).flatMap(clientEntries),
      applications: applications.map(applicationEntry),
      apiKeys: (await unit.apiKeys.list()).map(apiKeyEntry),
      ...(rules !== undefined && { gateRules: rules }),
    };
  });
}

/** JSON with each entry of a list on its own line, so that differences of two files are of entries. */
function written(document: StateDocument): string {
  const lists = Object.entries(document).map(([list, entries]) => {
    const lines = (entries as readonly unknown[]).map((entry) => `\n    ${visible(JSON.stringify(entry))}`);
    return `  "${list}": [${lines.join(',')}${lines.length > 0 ? '\n  ' : ''}]`;
  });
  return `{\n${lists.join(',\n')}\n}\n`;
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
      const text = written(await onStore(terminal, settings, (store) => storedState(store, rules, lacking)));
      if (file === undefined) await print(terminal, text);
      else if (file === '') throw new CommandRefused('The name of the file is empty: give one.');
      else prepareFile(file, text, true).replace();
      terminal.stderr.write(notes(lacking));
    });
}
