import type { Finding } from '../domain/finding.ts';
import type { PasswordPages } from '../domain/user.ts';
import type { BRAND } from './brand.ts';
import type { GivenSetting } from './given.ts';
import type { Parser } from './parsers.ts';
import type { ADDRESS, LIMITS, OPERATION, PAGES } from './serving.ts';
import type { Plain, Setting } from './setting.ts';
import type { FOR_CLIENTS, GUESSED, PASSWORDS, STORE, TICKETS } from './tickets.ts';

type SettingValue<S> = S extends { readonly asGiven: string }
  ? GivenSetting | undefined
  : S extends { readonly parse: Parser<infer T> }
    ? S extends { readonly default: string }
      ? T
      : T | undefined
    : never;

/** The values of these settings. Durations are in milliseconds. */
export type ValuesOf<S> = { readonly [K in keyof S]: SettingValue<S[K]> };

/** The settings that capabilities add: each declares its own as further members of this interface. */
// biome-ignore lint/suspicious/noEmptyInterface: other files declare its members.
export interface CapabilitySettings {}

/** The settings in effect. Durations are in milliseconds. */
export type Settings = ValuesOf<
  typeof ADDRESS &
    typeof STORE &
    typeof TICKETS &
    typeof GUESSED &
    typeof PAGES &
    typeof BRAND &
    typeof FOR_CLIENTS &
    typeof PASSWORDS &
    typeof LIMITS &
    typeof OPERATION
> &
  CapabilitySettings;

/** `ticketIdle` is `TESSERA_TICKET_IDLE`, `--ticket-idle` and `"ticketIdle"` in the file. */
export type SettingKey = keyof Settings;

/** Settings that one reader looks for together. */
export interface SettingGroup {
  readonly heading: string;
  readonly settings: Readonly<Partial<Record<SettingKey, Setting<Plain>>>>;
  /** Those whose defaults fit nearly every installation. */
  readonly hardlyEver?: readonly SettingKey[];
  /** Those that name files of certificates, by which servers of others are checked. */
  readonly certificates?: readonly SettingKey[];
  /** Those that name documents with secrets in them, or with files of secrets. */
  readonly secretDocuments?: readonly SettingKey[];
  /** Whether users may belong to the directory or identity provider with this id, as far as the settings tell. */
  readonly provides?: (provider: string, settings: Settings) => boolean;
  /** Where users of a directory change their passwords. */
  readonly passwordPages?: (settings: Settings) => PasswordPages;
  /** The faults of settings that are valid alone but not together. `isSetUp` tells whether a capability has the provider. */
  readonly faults?: (settings: Settings, isSetUp: (provider: string) => boolean) => string[];
  /** The dangers of settings that are valid. */
  readonly dangers?: (settings: Settings) => readonly Finding[];
}

/** The environment variable of a setting. */
export function variableOf(key: SettingKey): string {
  return `TESSERA_${key.replace(/[A-Z]/g, '_$&').toUpperCase()}`;
}
