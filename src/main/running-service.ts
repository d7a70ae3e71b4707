import type { RunningService, StorageEngine } from '../domain/running-service.ts';
import type { SettingInEffect } from '../settings/read.ts';
import { type Settings, variableOf } from '../settings/table.ts';
import { VERSION } from '../version.ts';

/** The part of a process that is shown. */
interface ServiceOfProcess {
  readonly settings: Settings;
  readonly inEffect: readonly SettingInEffect[];
  readonly sweeps: boolean;
}

/** What a process counts. */
export interface ServiceCounts {
  liveTickets(): number;
  hashesWaiting(): number;
}

/** How the engines are chosen: `openStore` does the same. */
function enginesIn({ database, tickets }: Settings): RunningService['engines'] {
  const below: StorageEngine = database === undefined ? 'sqlite' : 'postgresql';
  return { database: below, tickets: tickets === undefined ? below : 'redis' };
}

/** What administrators are shown of this process. */
export function runningService(
  { settings, inEffect, sweeps }: ServiceOfProcess,
  { liveTickets, hashesWaiting }: ServiceCounts,
): RunningService {
  return {
    version: VERSION,
    engines: enginesIn(settings),
    settings: inEffect.map(({ key, text, from }) => ({ name: variableOf(key), value: text, from })),
    // Who does not sweep counts nothing.
    liveTickets: () => (sweeps ? liveTickets() : undefined),
    hashesWaiting,
  };
}
