import type { Finding } from '../domain/finding.ts';
import type { PasswordPages } from '../domain/user.ts';
import { BRAND } from './brand.ts';
import { faultsOfHashes, faultsOfThrottleKey, faultsOfTls } from './combinations.ts';
import { dangersIn } from './dangerous-settings.ts';
import { ADDRESS, LIMITS, OPERATION, PAGES } from './serving.ts';
import type { Setting } from './setting.ts';
import type { SettingGroup, SettingKey, Settings } from './table.ts';
import { FOR_CLIENTS, GUESSED, PASSWORDS, STORE, TICKETS } from './tickets.ts';

/** The settings of the core. */
export const CORE_GROUPS = {
  address: { heading: 'Address, TLS and proxies', settings: ADDRESS, faults: faultsOfTls },
  store: {
    heading: 'Store',
    settings: STORE,
    hardlyEver: ['migrationCopy', 'ticketsReplicas', 'ticketsReplicaDeadline', 'validationWait', 'cache'],
  },
  tickets: { heading: 'Tickets', settings: TICKETS, hardlyEver: ['ticketsWithoutPassword'] },
  guessed: { heading: 'Guessed passwords', settings: GUESSED, faults: faultsOfThrottleKey },
  pages: { heading: 'Pages', settings: PAGES },
  brand: { heading: 'Own name', settings: BRAND },
  forClients: { heading: 'What clients find', settings: FOR_CLIENTS, hardlyEver: ['announcedEdition'] },
  passwords: {
    heading: 'Passwords',
    settings: PASSWORDS,
    hardlyEver: ['hashMemory', 'hashPasses', 'hashLanes', 'hashDeadline'],
    faults: faultsOfHashes,
  },
  limits: {
    heading: 'Large requests, and the stop',
    settings: LIMITS,
    hardlyEver: ['requestDeadline', 'connections', 'connectionsPerAddress'],
  },
  operation: { heading: 'Metrics, events and log', settings: OPERATION },
} satisfies Record<string, SettingGroup>;

/** All settings that there are: those of the core, and those of the capabilities. */
export class SettingsTable {
  /** Every setting once, in groups; last those that are hardly ever changed. */
  readonly groups: readonly { readonly heading: string; readonly keys: readonly SettingKey[] }[];
  readonly keys: readonly SettingKey[];
  readonly #parts: readonly SettingGroup[];
  readonly #settings: Readonly<Record<string, Setting<unknown>>>;

  constructor(parts: readonly SettingGroup[]) {
    this.#parts = parts;
    this.#settings = Object.assign({}, ...parts.map(({ settings }) => settings));
    this.keys = Object.keys(this.#settings) as SettingKey[];
    const hardlyEver = parts.flatMap((part) => part.hardlyEver ?? []);
    const sections = parts.map(({ heading, settings }) => ({
      heading,
      keys: (Object.keys(settings) as SettingKey[]).filter((key) => !hardlyEver.includes(key)),
    }));
    this.groups = [...sections, { heading: 'Hardly ever changed', keys: hardlyEver }];
  }

  setting(key: SettingKey): Setting<unknown> {
    return this.#settings[key] as Setting<unknown>;
  }

  isSecret(key: SettingKey): boolean {
    return this.setting(key).secret === true;
  }

  /** The flag of a setting. For a secret, the flag takes only a file: other users can see command lines. */
  flagOf(key: SettingKey): string {
    const name = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return this.isSecret(key) ? `--${name}-file` : `--${name}`;
  }

  /** The settings that name files of certificates, by which servers of others are checked. */
  get certificates(): readonly SettingKey[] {
    return this.#parts.flatMap(({ certificates }) => certificates ?? []);
  }

  /** The settings that name documents with secrets in them, or with files of secrets. */
  get secretDocuments(): readonly SettingKey[] {
    return this.#parts.flatMap(({ secretDocuments }) => secretDocuments ?? []);
  }

  /** Whether users may belong to the directory or identity provider with this id, as far as the settings tell. */
  isSetUp(provider: string, settings: Settings): boolean {
    return this.#parts.some(({ provides }) => provides?.(provider, settings));
  }

  /** Where users of a directory change their passwords. */
  passwordPagesOf(settings: Settings): PasswordPages {
    return Object.assign({}, ...this.#parts.map(({ passwordPages }) => passwordPages?.(settings)));
  }

  /** The faults of settings that are valid alone but not together. */
  faultsOf(settings: Settings): string[] {
    const isSetUp = (provider: string) => this.isSetUp(provider, settings);
    return this.#parts.flatMap(({ faults }) => faults?.(settings, isSetUp) ?? []);
  }

  /** The dangers of settings that are valid. */
  dangersOf(settings: Settings): readonly Finding[] {
    return [...dangersIn(settings), ...this.#parts.flatMap(({ dangers }) => dangers?.(settings) ?? [])];
  }
}
