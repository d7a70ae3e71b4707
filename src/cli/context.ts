import { Command, Option } from 'commander';
import { openStore, type Use } from '../main/store.ts';
import { readSettings, type SettingInEffect } from '../settings/read.ts';
import type { Setting } from '../settings/setting.ts';
import {
  flagOf,
  isSecret,
  SETTING_KEYS,
  SETTINGS,
  type SettingKey,
  type Settings,
} from '../settings/table.ts';
import type { Store } from '../storage/store.ts';

/** The process around a command, so that tests can stand in for it. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/** Settings that commands on the store read: where it is, what new passwords have to be, and how long tickets live. */
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

function settingOption(key: SettingKey): Option {
  const { help, default: fallback } = SETTINGS[key] as Setting<unknown>;
  const text = fallback === undefined || fallback === '' ? help : `${help} (default: ${fallback})`;
  return isSecret(key)
    ? new Option(`${flagOf(key)} <file>`, `File that holds this: ${text}`)
    : new Option(`${flagOf(key)} <value>`, text);
}

/** Adds the flags of settings to a command: of all, unless it reads some alone. */
export function withSettings(command: Command, keys: readonly SettingKey[] = SETTING_KEYS): Command {
  command.option('--config <file>', 'Settings file, a JSON object.');
  for (const key of keys) command.addOption(settingOption(key));
  return command;
}

/** A command that works on the store, with the flags that it needs: of the settings named here too. */
export function storeCommand(
  nameAndArguments: string,
  description: string,
  ...more: readonly SettingKey[]
): Command {
  return withSettings(new Command(nameAndArguments).description(description), [...STORE_KEYS, ...more]);
}

/** The settings for a command: its flags, the environment and the file. */
export function settingsFor(
  options: Record<string, unknown>,
  terminal: Terminal,
): { settings: Settings; inEffect: SettingInEffect[] } {
  const attribute = (key: SettingKey) => (isSecret(key) ? `${key}File` : key);
  const given = SETTING_KEYS.filter((key) => attribute(key) in options);
  const flags = Object.fromEntries(given.map((key) => [key, options[attribute(key)] as string]));
  return readSettings({ flags, env: terminal.env, file: options.config as string | undefined });
}

type Work<T> = (store: Store, clock: () => number) => Promise<T>;

async function onOpened<T>(settings: Settings, use: Use, work: Work<T>): Promise<T> {
  const { store, clock = Date.now } = await openStore(settings, use);
  try {
    return await work(store, clock);
  } finally {
    await store.close();
  }
}

/**
 * Does `work` on the store of these settings, whether the service runs or not; refused where there is none, and where
 * its schema is older than this version's. The clock is the one that the service judges by, in epoch milliseconds.
 */
export const onStore = <T>(settings: Settings, work: Work<T>): Promise<T> =>
  onOpened(settings, 'command', work);

/** As {@link onStore}, for what may come before the first start: the embedded store is made where there is none. */
export const onStoreToAdd = <T>(settings: Settings, work: Work<T>): Promise<T> =>
  onOpened(settings, 'adding', work);
