import type { Finding } from '../../core/domain/finding.ts';
import type { SettingsTable } from '../../core/settings/groups.ts';
import { type SettingInEffect, SettingsFaulty } from '../../core/settings/read.ts';
import type { SettingKey, Settings } from '../../core/settings/table.ts';
import type { OpenedStore } from '../../core/storage/opened-store.ts';

/** One result of a check: all is well, something is to be mended, or why nothing was looked at. */
export type CheckResult = Finding | { readonly level: 'ok' | 'skipped'; readonly what: string };

/** How documents are loaded, by the settings that name them. Loading throws the faults, one on each line. */
export type DocumentLoaders = Readonly<Partial<Record<SettingKey, (settings: Settings) => void>>>;

/** The set-up that is examined. */
export interface Examined {
  readonly settings: Settings;
  /** Everything that can be set. */
  readonly table: SettingsTable;
  /** The documents that settings name. */
  readonly documents: DocumentLoaders;
  readonly inEffect: readonly SettingInEffect[];
  /** The settings file, and the files of secrets, with the setting that each is for. */
  readonly files: readonly { readonly file: string; readonly from: string }[];
  /** Where clients reach the service, through the proxy, if that was said. */
  readonly url: URL | undefined;
  /** The API key for that address, if one was given. */
  readonly key: string | undefined;
  /** The file or folder of backups, if that was said. */
  readonly backups: string | undefined;
  /** The store, opened as commands do and once for all checks. Rejects with a sentence if it cannot be opened. */
  store(): Promise<OpenedStore>;
}

/** One thing that `tessera doctor` looks at. */
export interface DoctorCheck {
  readonly name: string;
  /** The page that explains it. */
  readonly page: string;
  /** Whether it is left out if the store cannot be opened. */
  readonly needsStore?: true;
  /** Looks, and changes nothing. Throws an error whose message says what is wrong and how to mend it. */
  look(examined: Examined): Promise<readonly CheckResult[]>;
}

export const ok = (what: string): CheckResult => ({ level: 'ok', what });
export const skipped = (what: string): CheckResult => ({ level: 'skipped', what });
export const fault = (what: string, mend: string): CheckResult => ({ level: 'fault', what, mend });
export const warning = (what: string, mend: string): CheckResult => ({ level: 'warning', what, mend });

/** The findings, or this sentence if there are none. */
export const orOk = (findings: readonly CheckResult[], what: string): readonly CheckResult[] =>
  findings.length > 0 ? findings : [ok(what)];

/** A sentence that ends with its mend behind the last colon, as errors for operators do. */
export function sentence(level: Finding['level'], text: string): Finding {
  const at = text.lastIndexOf(': ');
  if (at < 0) return { level, what: text, mend: 'see the page' };
  return { level, what: text.slice(0, at), mend: text.slice(at + 2) };
}

/** The message of an error of a check, on one line. */
export function messageOf(error: unknown): string {
  if (error instanceof SettingsFaulty) return error.faults.join('; ');
  return error instanceof Error ? error.message : String(error);
}
