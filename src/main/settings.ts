import { definitionSettings } from '../capabilities/action-definitions/settings.ts';
import { secondFactorSettings } from '../capabilities/factors/settings.ts';
import { directorySettings } from '../capabilities/ldap/settings.ts';
import { shadowSettings } from '../capabilities/migration/settings.ts';
import { providerSettings } from '../capabilities/oidc/settings.ts';
import { gateSettings } from '../capabilities/proxy-gate/settings.ts';
import { scimSettings } from '../capabilities/scim/settings.ts';
import { webhookSettings } from '../capabilities/webhooks/settings.ts';
import { CORE_GROUPS, SettingsTable } from '../core/settings/groups.ts';
import { readSettingsOf, type SettingSources } from '../core/settings/read.ts';

const { address, store, tickets, guessed, pages, forClients, passwords, limits, operation } = CORE_GROUPS;

/** Everything that can be set. */
export const SETTINGS = new SettingsTable([
  address,
  store,
  tickets,
  guessed,
  gateSettings,
  pages,
  providerSettings,
  secondFactorSettings,
  scimSettings,
  forClients,
  passwords,
  limits,
  definitionSettings,
  shadowSettings,
  directorySettings,
  operation,
  webhookSettings,
]);

/** The settings in effect, and the source of each. Throws {@link SettingsFaulty} with all faults. */
export const readSettings = (sources: SettingSources) => readSettingsOf(SETTINGS, sources);
