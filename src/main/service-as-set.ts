import type { RunningService, StorageEngine } from '../core/domain/running-service.ts';
import { ticketLimitsIn } from '../core/settings/derived.ts';
import type { SettingInEffect } from '../core/settings/read.ts';
import { type Settings, variableOf } from '../core/settings/table.ts';
import { VERSION } from '../core/version.ts';
import { SETTINGS } from './settings.ts';

/** The names of the engines that `openStore` chooses. */
function enginesIn({ database, tickets }: Settings): RunningService['engines'] {
  const below: StorageEngine = database === undefined ? 'sqlite' : 'postgresql';
  return { database: below, tickets: tickets === undefined ? below : 'redis' };
}

/** The settings in the groups of the reference, each with its sentence there. */
const settingsShown = (inEffect: readonly SettingInEffect[]) =>
  SETTINGS.groups.flatMap(({ heading, keys }) =>
    inEffect
      .filter(({ key }) => keys.includes(key))
      .map(({ key, text, from }) => {
        const { help } = SETTINGS.setting(key);
        return { name: variableOf(key), value: text, from, group: heading, help };
      }),
  );

/** What administrators are shown of a service that its settings alone tell. */
export function serviceAsSet(settings: Settings, inEffect: readonly SettingInEffect[]) {
  return {
    version: VERSION,
    engines: enginesIn(settings),
    settings: settingsShown(inEffect),
    ticketLimits: ticketLimitsIn(settings),
  };
}
