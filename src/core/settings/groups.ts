import { SETTING_KEYS, type SettingKey } from './table.ts';

/** Settings that one reader looks for together. */
export interface SettingGroup {
  readonly heading: string;
  readonly keys: readonly SettingKey[];
}

/** The heading of each group, by the setting of the table that it begins with. */
const HEADINGS: Readonly<Partial<Record<SettingKey, string>>> = {
  host: 'Address, TLS and proxies',
  data: 'Store',
  ticketIdle: 'Tickets',
  throttleAfter: 'Guessed passwords',
  gateUriHeader: 'Gate',
  portal: 'Pages and identity providers',
  secondFactor: 'Second factor',
  scim: 'SCIM',
  basePaths: 'What clients find',
  adminPassword: 'Passwords',
  bodyLimit: 'Large requests, and the stop',
  definitions: 'Action definitions and nodes',
  shadow: 'The server that is being replaced',
  ldapUrls: 'Directory',
  metricsHost: 'Metrics, events and log',
};

/** Settings whose defaults fit nearly every installation. */
const HARDLY_EVER: readonly SettingKey[] = [
  'ticketsReplicas',
  'ticketsReplicaDeadline',
  'ticketsWithoutPassword',
  'announcedEdition',
  'hashMemory',
  'hashPasses',
  'hashLanes',
  'hashDeadline',
  'requestDeadline',
  'connections',
  'connectionsPerAddress',
  'nodesDeadline',
  'nodesPlainHttp',
  'shadowDeadline',
  'ldapPlainText',
  'ldapNestedGroups',
  'ldapDeadline',
];

function grouped(): readonly SettingGroup[] {
  const groups: { heading: string; keys: SettingKey[] }[] = [];
  for (const key of SETTING_KEYS) {
    const heading = HEADINGS[key];
    if (heading !== undefined) groups.push({ heading, keys: [] });
    if (!HARDLY_EVER.includes(key)) groups.at(-1)?.keys.push(key);
  }
  return groups;
}

/** Every setting once, in groups; last those that are hardly ever changed. */
export const SETTING_GROUPS: readonly SettingGroup[] = [
  ...grouped(),
  { heading: 'Hardly ever changed', keys: HARDLY_EVER },
];
