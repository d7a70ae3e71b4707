import { Command, Option } from 'commander';
import { readSettingsOf, type SettingInEffect } from '../../core/settings/read.ts';
import type { SettingKey, Settings } from '../../core/settings/table.ts';
import type { Use } from '../../core/storage/opened-store.ts';
import type { Store } from '../../core/storage/store.ts';
import type { Terminal } from './terminal.ts';

/**
 * The settings that commands on the store read: where it is, the rules for new passwords, and how long tickets live.
 */
const STORE_KEYS: readonly SettingKey[] = [
  'data',
  'database',
  'databasePassword',
  'tickets',
  'ticketsPassword',
  'ticketsReplicas',
  'ticketsReplicaDeadline',
  'throttleKeyFile',
  'namesCaseSensitive',
  'passwordLength',
  'breachedPasswords',
  'hashMemory',
  'hashPasses',
  'hashLanes',
  'ticketIdle',
  'ticketAge',
];

function settingOption({ settings }: Terminal, key: SettingKey): Option {
  const { help, default: fallback } = settings.setting(key);
  const text = fallback === undefined || fallback === '' ? help : `${help} (default: ${fallback})`;
  return settings.isSecret(key)
    ? new Option(`${settings.flagOf(key)} <file>`, `File that holds this: ${text}`)
    : new Option(`${settings.flagOf(key)} <value>`, text);
}

/** Adds the flags of these settings to a command; of all settings by default. `--help` leaves them out. */
export function withSettings(
  terminal: Terminal,
  command: Command,
  keys: readonly SettingKey[] = terminal.settings.keys,
): Command {
  const config = new Option('--config <file>', 'File with settings, a JSON object.');
  command.addOption(config.hideHelp().helpGroup('Settings file:'));
  for (const group of terminal.settings.groups)
    for (const key of group.keys.filter((each) => keys.includes(each)))
      command.addOption(settingOption(terminal, key).hideHelp().helpGroup(`${group.heading}:`));
  return command;
}

/** A command on the store, with the flags of the store and of these settings. */
export function storeCommand(
  terminal: Terminal,
  nameAndArguments: string,
  description: string,
  ...more: readonly SettingKey[]
): Command {
  return withSettings(terminal, new Command(nameAndArguments).description(description), [
    ...STORE_KEYS,
    ...more,
  ]);
}

/** The settings for a command, from its flags, the environment and the file: all of them, or `only` these. */
export function settingsFor(
  options: Record<string, unknown>,
  terminal: Terminal,
  only?: readonly SettingKey[],
): { settings: Settings; inEffect: SettingInEffect[] } {
  const table = terminal.settings;
  const attribute = (key: SettingKey) => (table.isSecret(key) ? `${key}File` : key);
  const keys = table.keys.filter((key) => attribute(key) in options);
  const flags = Object.fromEntries(keys.map((key) => [key, options[attribute(key)] as string]));
  const file = options.config as string | undefined;
  return readSettingsOf(table, { flags, env: terminal.env, file }, only);
}

type Work<T> = (store: Store, clock: () => number) => Promise<T>;

async function onOpened<T>(terminal: Terminal, settings: Settings, use: Use, work: Work<T>): Promise<T> {
  const { store, clock = Date.now } = await terminal.openStore(settings, use);
  try {
    return await work(store, clock);
  } finally {
    await store.close();
  }
}

/**
 * Runs `work` on the store of these settings, while the service runs or not. Throws if there is no store, or if its
 * schema is older than this version's. `work` gets the clock of the service, in epoch milliseconds.
 */
export const onStore = <T>(terminal: Terminal, settings: Settings, work: Work<T>): Promise<T> =>
  onOpened(terminal, settings, 'command', work);

/** Like {@link onStore}, for commands that may run before the first start: it makes a missing embedded store. */
export const onStoreToAdd = <T>(terminal: Terminal, settings: Settings, work: Work<T>): Promise<T> =>
  onOpened(terminal, settings, 'adding', work);
