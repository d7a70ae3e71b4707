import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SETTING_GROUPS } from '../../../src/core/settings/groups.ts';
import { readSettings } from '../../../src/core/settings/read.ts';
import type { Setting } from '../../../src/core/settings/setting.ts';
import { flagOf, isSecret, SETTING_KEYS, SETTINGS, variableOf } from '../../../src/core/settings/table.ts';

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
  const byVariable = Object.fromEntries(SETTING_KEYS.map((key) => [variableOf(key), settings[key]]));
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
    const { parse } = SETTINGS[key as keyof typeof GREATEST];
    assert.equal(parse(String(greatest)), greatest, key);
    assert.throws(() => parse(String(greatest + 1)), new RegExp(`to ${greatest}`), key);
  }
});

test('variables and flags follow from the key, and none is given twice', () => {
  assert.equal(variableOf('ticketsPerUser'), 'TESSERA_TICKETS_PER_USER');
  assert.equal(flagOf('ticketsPerUser'), '--tickets-per-user');
  assert.equal(new Set(SETTING_KEYS.map(variableOf)).size, SETTING_KEYS.length);
  assert.equal(new Set(SETTING_KEYS.map(flagOf)).size, SETTING_KEYS.length);
});

test('a secret has no flag but one for the file that holds it, and no default', () => {
  assert.ok(isSecret('adminPassword'));
  for (const key of SETTING_KEYS.filter(isSecret)) {
    assert.match(flagOf(key), /-file$/);
    assert.equal((SETTINGS[key] as Setting<unknown>).default, undefined);
  }
});

test('every setting describes itself in a sentence', () => {
  for (const key of SETTING_KEYS) assert.match(SETTINGS[key].help, /^[A-Z].{10,}\.$/, key);
});

test('every setting is in one group with a heading of its own, and a group is as long as a reader can look through', () => {
  const keys = SETTING_GROUPS.flatMap((group) => group.keys);
  assert.deepEqual(keys.toSorted(), SETTING_KEYS.toSorted());
  assert.equal(new Set(SETTING_GROUPS.map(({ heading }) => heading)).size, SETTING_GROUPS.length);
  for (const { heading, keys } of SETTING_GROUPS)
    assert.ok(keys.length > 0 && keys.length <= 20, `${heading} has ${keys.length} settings`);
});
