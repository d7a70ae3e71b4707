import type { RunningService, StorageEngine } from '../domain/running-service.ts';
import { ticketLimitsIn } from '../settings/derived.ts';
import type { SettingInEffect } from '../settings/read.ts';
import { type Settings, variableOf } from '../settings/table.ts';
import { VERSION } from '../version.ts';

/** The parts of a process that its state is read from. */
interface ServiceOfProcess {
  readonly settings: Settings;
  readonly inEffect: readonly SettingInEffect[];
  readonly sweeps: boolean;
}

/** The counts of a process. */
export interface ServiceCounts {
  liveTickets(): number;
  hashesWaiting(): number;
}

/** The names of the engines that `openStore` chooses. */
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
    ticketLimits: ticketLimitsIn(settings),
    asksOldServer: settings.shadow !== '',
    // Only a process that sweeps counts tickets.
    liveTickets: () => (sweeps ? liveTickets() : undefined),
    hashesWaiting,
  };
}
