import type { Providers } from '../capabilities/oidc/providers.ts';
import { DIRECTORY } from '../core/domain/external-identity.ts';
import type { RunningService, StorageEngine } from '../core/domain/running-service.ts';
import { ticketLimitsIn } from '../core/settings/derived.ts';
import type { SettingInEffect } from '../core/settings/read.ts';
import { type Settings, variableOf } from '../core/settings/table.ts';
import { VERSION } from '../core/version.ts';

/** The parts of a process that its state is read from. */
interface ServiceOfProcess {
  readonly settings: Settings;
  readonly inEffect: readonly SettingInEffect[];
  readonly sweeps: boolean;
  readonly providers: Pick<Providers, 'configurations'>;
}

/** What a process knows while it runs. */
export interface ServiceCounts {
  liveTickets(): number;
  hashesWaiting(): number;
  /** Whether a directory is set, and no server of it answered when it was asked last. */
  directoryIsSilent(): boolean;
}

/** The names of the engines that `openStore` chooses. */
function enginesIn({ database, tickets }: Settings): RunningService['engines'] {
  const below: StorageEngine = database === undefined ? 'sqlite' : 'postgresql';
  return { database: below, tickets: tickets === undefined ? below : 'redis' };
}

/** What administrators are shown of this process. */
export function runningService(
  { settings, inEffect, sweeps, providers }: ServiceOfProcess,
  { liveTickets, hashesWaiting, directoryIsSilent }: ServiceCounts,
): RunningService {
  return {
    version: VERSION,
    engines: enginesIn(settings),
    settings: inEffect.map(({ key, text, from }) => ({ name: variableOf(key), value: text, from })),
    ticketLimits: ticketLimitsIn(settings),
    asksOldServer: settings.shadow !== '',
    asksDirectory: settings.ldapUrls.length > 0,
    providerState(id) {
      if (id !== DIRECTORY) return providers.configurations.some((each) => each.id === id) ? 'on' : 'off';
      if (settings.ldapUrls.length === 0) return 'off';
      return directoryIsSilent() ? 'silent' : 'on';
    },
    // Only a process that sweeps counts tickets.
    liveTickets: () => (sweeps ? liveTickets() : undefined),
    hashesWaiting,
  };
}
