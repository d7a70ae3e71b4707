import assert from 'node:assert/strict';
import { test } from 'node:test';
import { variableOf } from '../../../src/core/settings/table.ts';
import { readSettings, SETTINGS } from '../../../src/main/settings.ts';

/** The names that operators depend on, and their defaults. */
const FIXED: Readonly<Record<string, unknown>> = {
  TESSERA_HOST: '127.0.0.1',
  TESSERA_PORT: 8080,
  TESSERA_DATA: './data',
  TESSERA_ADMIN_PASSWORD: undefined,
  TESSERA_BASE_PATHS: ['/alfresco/service', '/alfresco/s', '/alfresco/wcs', '/alfresco/wcservice', ''],
  TESSERA_TICKET_IDLE: 3_600_000,
  TESSERA_TICKET_AGE: 86_400_000,
  TESSERA_TICKETS_PER_USER: 1000,
  TESSERA_TICKETS_FULL: 'replace-oldest',
  TESSERA_THROTTLE_AFTER: 5,
  TESSERA_LOCKOUT_THRESHOLD: 100,
  TESSERA_LOCKOUT_DURATION: 900_000,
  TESSERA_TRUSTED_PROXIES: [],
  TESSERA_ALLOWED_ORIGINS: [],
  TESSERA_LOGIN_GET: true,
  TESSERA_METRICS_HOST: '127.0.0.1',
  TESSERA_METRICS_PORT: 9464,
  TESSERA_EVENTS_KEEP: 7_776_000_000,
  TESSERA_LOG_LEVEL: 'info',
};

test('every fixed name is a setting with its default', () => {
  const { settings } = readSettings({ flags: {}, env: {} });
  const byVariable = Object.fromEntries(SETTINGS.keys.map((key) => [variableOf(key), settings[key]]));
  for (const [variable, value] of Object.entries(FIXED)) {
    assert.ok(variable in byVariable, variable);
    assert.deepEqual(byVariable[variable], value, variable);
  }
});

test('password hashes cost what was measured: argon2id over 19 MiB, two passes, one lane', () => {
  const { settings } = readSettings({ flags: {}, env: {} });
  const { hashMemory, hashPasses, hashLanes, passwordLength } = settings;
  assert.deepEqual([hashMemory, hashPasses, hashLanes, passwordLength], [19_456, 2, 1, 8]);
});

/** The greatest number of each setting. A greater one would be noticed only when something breaks. */
const GREATEST = {
  port: 65_535,
  metricsPort: 65_535,
  workers: 64,
  passwordLength: 256,
  hashMemory: 4_194_304,
  hashPasses: 100,
  hashLanes: 64,
  bodyLimit: 10_485_760,
} as const;

test('a number is refused that is greater than the service can go by', () => {
  for (const [key, greatest] of Object.entries(GREATEST)) {
    const { parse } = SETTINGS.setting(key as keyof typeof GREATEST);
    assert.equal(parse(String(greatest)), greatest, key);
    assert.throws(() => parse(String(greatest + 1)), new RegExp(`to ${greatest}`), key);
  }
});

test('variables and flags follow from the key, and none is given twice', () => {
  assert.equal(variableOf('ticketsPerUser'), 'TESSERA_TICKETS_PER_USER');
  assert.equal(SETTINGS.flagOf('ticketsPerUser'), '--tickets-per-user');
  assert.equal(new Set(SETTINGS.keys.map(variableOf)).size, SETTINGS.keys.length);
  assert.equal(new Set(SETTINGS.keys.map((key) => SETTINGS.flagOf(key))).size, SETTINGS.keys.length);
});

test('a secret has no flag but one for the file that holds it, and no default', () => {
  assert.ok(SETTINGS.isSecret('adminPassword'));
  for (const key of SETTINGS.keys.filter((key) => SETTINGS.isSecret(key))) {
    assert.match(SETTINGS.flagOf(key), /-file$/);
    assert.equal(SETTINGS.setting(key).default, undefined);
  }
});

test('every setting describes itself in a sentence', () => {
  for (const key of SETTINGS.keys) assert.match(SETTINGS.setting(key).help, /^[A-Z].{10,}\.$/, key);
});

test('every setting is in one group with a heading of its own, and a group is as long as a reader can look through', () => {
  const keys = SETTINGS.groups.flatMap((group) => group.keys);
  assert.deepEqual(keys.toSorted(), SETTINGS.keys.toSorted());
  assert.equal(new Set(SETTINGS.groups.map(({ heading }) => heading)).size, SETTINGS.groups.length);
  for (const { heading, keys } of SETTINGS.groups)
    assert.ok(keys.length > 0 && keys.length <= 20, `${heading} has ${keys.length} settings`);
});
