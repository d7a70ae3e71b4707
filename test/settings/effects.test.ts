import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { SETTING_KEYS, type SettingKey, variableOf } from '../../src/settings/table.ts';

/** For each setting, the test that runs a service or a command with it and sees a difference. */
const HELD_BY: Readonly<Record<SettingKey, string>> = {
  host: 'settings/effects/listening',
  port: 'main/workers.slow',
  tlsCert: 'http/tls/serving',
  tlsKey: 'http/tls/serving',
  insecureHttp: 'http/tls/plain-http-warning',
  hosts: 'http/served-hosts',
  workers: 'main/workers.slow',
  data: 'first-start/given-password',
  database: 'settings/effects/database',
  databasePassword: 'settings/effects/database',
  tickets: 'settings/effects/tickets.slow',
  ticketsPassword: 'settings/effects/tickets.slow',
  ticketsReplicas: 'settings/effects/tickets.slow',
  ticketsReplicaDeadline: 'settings/effects/tickets.slow',
  adminPassword: 'first-start/given-password',
  basePaths: 'http/paths',
  ticketIdle: 'gate/inactivity',
  ticketAge: 'gate/inactivity',
  ticketsPerUser: 'gate/ticket-cap',
  ticketsFull: 'gate/ticket-cap',
  ticketsWithoutPassword: 'gate/tickets-without-password',
  throttleAfter: 'identity/on-the-wire/throttle',
  lockoutThreshold: 'identity/on-the-wire/lockout',
  lockoutDuration: 'settings/effects/passwords',
  lockoutTickets: 'identity/on-the-wire/lockout',
  throttleKeyFile: 'storage/redis/several-instances.slow',
  trustedProxies: 'http/client-address',
  gateUriHeader: 'http/gate/credentials',
  gateAnswers: 'http/gate/answers',
  gateUserHeader: 'http/gate/user-header',
  gateDetails: 'http/gate/user-details',
  gateRules: 'http/gate/rules',
  allowedOrigins: 'http/csrf',
  index: 'description/visibility',
  portal: 'portal/sign-in',
  cookieDomain: 'portal/cookie',
  returnHosts: 'portal/sign-in',
  peopleVisible: 'http/people/person',
  announcedVersion: 'http/announced',
  announcedEdition: 'http/announced',
  loginGet: 'http/login-get',
  namesCaseSensitive: 'settings/effects/passwords',
  passwordLength: 'settings/effects/passwords',
  breachedPasswords: 'cli/breached-passwords',
  hashMemory: 'settings/effects/passwords',
  hashPasses: 'settings/effects/passwords',
  hashLanes: 'settings/effects/passwords',
  hashDeadline: 'identity/on-the-wire/hash-queue',
  bodyLimit: 'settings/effects/bounds',
  requestDeadline: 'http/connection-limits',
  connections: 'http/connection-limits',
  connectionsPerAddress: 'http/connections-per-address',
  stopDeadline: 'http/stop',
  definitions: 'catalogue/serve',
  definitionsGeneration: 'v1/definitions',
  model: 'catalogue/serve',
  nodes: 'nodes/repository',
  nodesUser: 'nodes/repository',
  nodesPassword: 'nodes/repository',
  nodesDeadline: 'nodes/repository-faults',
  nodesPlainHttp: 'nodes/repository-settings',
  shadow: 'identity/shadow/tls',
  shadowCa: 'identity/shadow/tls',
  shadowDeadline: 'identity/shadow/asking',
  metricsHost: 'settings/effects/listening',
  metricsPort: 'http/metrics-port',
  eventsKeep: 'settings/effects/bounds',
  logLevel: 'main/workers.slow',
};

test('each setting reaches what it sets: a test starts something with it', () => {
  assert.deepEqual(Object.keys(HELD_BY).sort(), [...SETTING_KEYS].sort());
  for (const key of SETTING_KEYS) {
    const text = readFileSync(new URL(`../${HELD_BY[key]}.test.ts`, import.meta.url), 'utf8');
    assert.match(text, new RegExp(`\\b${variableOf(key)}(_FILE)?\\b`), `${HELD_BY[key]} sets no ${key}`);
  }
});
