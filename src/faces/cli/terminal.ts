import type { Command } from 'commander';
import type { SettingsTable } from '../../core/settings/groups.ts';
import type { Settings } from '../../core/settings/table.ts';
import type { MigrationStatus, OpenedStore, Use } from '../../core/storage/opened-store.ts';
import type { StoreLocation, TransferSource, TransferTarget } from '../../core/storage/transfer-sides.ts';
import type { OpenedRunner } from './runner.ts';

/** The process that runs a command. Tests replace it. */
export interface CommandProcess {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/** What commands work with: the process, and the service as it is put together. */
export interface Terminal extends CommandProcess {
  /** Everything that can be set. */
  readonly settings: SettingsTable;
  /** Opens the store that is set. */
  openStore(settings: Settings, use: Use): Promise<OpenedStore>;
  /** What performs the operations of a command with these options: on the store that is set, or on the service that `--server` names. */
  openRunner(options: Record<string, unknown>, use: Use): Promise<OpenedRunner>;
  /** Lists every migration of the store that is set, and whether it was done. Changes nothing. */
  migrationsOf(settings: Settings): Promise<MigrationStatus[]>;
  /** Opens the store at this place, to copy from it. */
  sourceAt(place: StoreLocation): Promise<TransferSource>;
  /** Opens the store to be at this place, to copy `source` into it. */
  targetAt(place: StoreLocation, source: TransferSource): Promise<TransferTarget>;
}

/** Makes a command for a terminal. */
export type MakeCommand = (terminal: Terminal) => Command;
