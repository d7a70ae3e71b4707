import { CORE_GROUPS, SettingsTable } from '../core/settings/groups.ts';
import { readSettingsOf, type SettingSources } from '../core/settings/read.ts';
import { CAPABILITIES } from './capabilities.ts';

/** Everything that can be set. */
export const SETTINGS = new SettingsTable([
  ...Object.values(CORE_GROUPS),
  ...CAPABILITIES.flatMap(({ settings }) => settings ?? []),
]);

/** The settings in effect, and the source of each. Throws {@link SettingsFaulty} with all faults. */
export const readSettings = (sources: SettingSources) => readSettingsOf(SETTINGS, sources);
