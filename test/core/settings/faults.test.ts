import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type SettingSources, SettingsFaulty } from '../../../src/core/settings/read.ts';
import { type SettingKey, variableOf } from '../../../src/core/settings/table.ts';
import { readSettings, SETTINGS } from '../../../src/main/settings.ts';
import { temporaryFolder } from '../../service/start.ts';

function faultsOf(sources: Partial<SettingSources>): readonly string[] {
  try {
    readSettings({ flags: {}, env: {}, ...sources });
  } catch (error) {
    assert.ok(error instanceof SettingsFaulty);
    return error.faults;
  }
  return [];
}

async function fileOf(t: TestContext, text: string): Promise<string> {
  const file = join(await temporaryFolder(t), 'settings.json');
  await writeFile(file, text);
  return file;
}

/** Whether a setting refuses some texts. */
function isParticular(key: SettingKey): boolean {
  try {
    SETTINGS.setting(key).parse('?!');
    return false;
  } catch {
    return true;
  }
}

/** Values that may hold a password, or be a misplaced one. */
const UNQUOTED: readonly SettingKey[] = ['nodes', 'shadow', 'ldapUrls', 'issuer', 'smtpUrl'];

test('the number of faults is printed before them', () => {
  for (const [faults, told] of [
    [['one'], 'The settings have a fault:\n- one'],
    [['one', 'two'], 'The settings have 2 faults:\n- one\n- two'],
  ] as const)
    assert.equal(new SettingsFaulty(faults).message, told);
});

test('faults in all settings are reported at once, each with the variable, the text and the mend', () => {
  const particular = SETTINGS.keys.filter(isParticular);
  assert.ok(particular.length > 30);
  const faults = faultsOf({ env: Object.fromEntries(particular.map((key) => [variableOf(key), '?!'])) });
  assert.equal(faults.length, particular.length);
  for (const [index, key] of particular.entries()) {
    const text = SETTINGS.isSecret(key) || UNQUOTED.includes(key) ? '' : '"\\?!" ';
    assert.match(faults[index] as string, new RegExp(`^${variableOf(key)}: ${text}.*(write|from \\d)`));
  }
});

test('faults of flags, variables and the file stand in one message, a line for each', async (t) => {
  const file = await fileOf(t, '{"logLevel": "loud", "colour": "red"}');
  const env = { TESSERA_PORT: 'http', TESSERA_SHADE: 'dark' };
  const faults = faultsOf({ flags: { eventsKeep: '90' }, env, file });
  assert.equal(faults.length, 5);
  const message = new SettingsFaulty(faults).message;
  assert.equal(message.split('\n').length, 6);
  for (const named of ['--events-keep', 'TESSERA_PORT', 'TESSERA_SHADE', '"logLevel"', '"colour"'])
    assert.match(message, new RegExp(`^- .*${named}`, 'm'));
});

test('a settings file that is missing, no JSON or no object is a fault that names it', async (t) => {
  for (const [file, fault] of [
    ['/nowhere/settings.json', /cannot be read/],
    [await fileOf(t, 'port: 8080'), /cannot be read.*JSON/],
    [await fileOf(t, '["port"]'), /holds no JSON object: write one such as \{"port": 8080\}/],
    [await fileOf(t, 'null'), /holds no JSON object/],
  ] as const) {
    const faults = faultsOf({ file });
    assert.equal(faults.length, 1);
    assert.match(faults[0] as string, fault);
    assert.ok(faults[0]?.includes(file));
  }
});

test('a path that is empty is told as that, wherever it was given', async (t) => {
  const EMPTY = 'it is empty: write a path, or leave the setting out';
  assert.deepEqual(faultsOf({ flags: { data: '', ticketsPassword: '' } }), [
    `--data: ${EMPTY}`,
    `--tickets-password-file: ${EMPTY}`,
  ]);
  assert.deepEqual(faultsOf({ file: await fileOf(t, '{"data": ""}') }), [
    `"data" in the settings file: ${EMPTY}`,
  ]);
  assert.deepEqual(faultsOf({ file: '' }), [`settings file (--config): cannot be read: ${EMPTY}`]);
  // An empty variable counts as not given. An empty path to an optional file counts as none.
  assert.deepEqual(faultsOf({ env: { TESSERA_DATA: '' }, flags: { definitions: '', model: '' } }), []);
});

test('an entry of the file that is null or an object is a fault that names it', async (t) => {
  const faults = faultsOf({ file: await fileOf(t, '{"port": null, "host": {"name": "a"}}') });
  assert.equal(faults.length, 2);
  assert.match(faults[0] as string, /"port"/);
  assert.match(faults[1] as string, /"host"/);
});

test('a list in the file that holds anything but texts, numbers and booleans is a fault that names it', async (t) => {
  for (const list of ['[null]', '["10.0.0.1", null]', '[["10.0.0.1"]]', '[{}]']) {
    const faults = faultsOf({ file: await fileOf(t, `{"trustedProxies": ${list}}`) });
    assert.equal(faults.length, 1, list);
    assert.match(faults[0] as string, /"trustedProxies" is no .* list of them$/);
  }
  assert.deepEqual(faultsOf({ file: await fileOf(t, '{"trustedProxies": ["10.0.0.1", "::1"]}') }), []);
});

test('a secret in the file that is no text is refused: as a number it would become another one', async (t) => {
  for (const value of ['12345678901234567890', '1.10', '["horse", "battery"]', 'true', 'null']) {
    const file = await fileOf(t, `{"databasePassword": ${value}}`);
    assert.deepEqual(faultsOf({ file }), [
      `settings file ${file}: "databasePassword": write it as text, in quotes`,
    ]);
  }
});

test('names that every object has are no settings', async (t) => {
  const file = await fileOf(t, '{"__proto__": "a", "constructor": "b", "toString": "c"}');
  assert.equal(faultsOf({ file }).length, 3);
});

test('an unknown variable of ours is refused, and of others none is looked at', () => {
  assert.deepEqual(faultsOf({ env: { HOME: '/', PORT: 'x', TESSERAX: 'y', tessera_port: 'z' } }), []);
  for (const name of ['TESSERA_COLOUR', 'TESSERA_PORTS', 'TESSERA_', 'TESSERA_port', 'TESSERA_TESTING']) {
    const faults = faultsOf({ env: { [name]: 'x' } });
    assert.equal(faults.length, 1, name);
    assert.match(faults[0] as string, new RegExp(`^${name}: there is no such setting: remove it`));
  }
});

test('variables for tests are ignored', () => {
  assert.deepEqual(faultsOf({ env: { TESSERA_TEST_: 'x', TESSERA_TEST_DATABASE: 'y' } }), []);
});

test('no fault ever shows a secret', async (t) => {
  const withSecret: Partial<SettingSources>[] = [
    { env: { TESSERA_ADMIN_PASSWORD: 'correct-horse-battery', TESSERA_PORT: 'x' } },
    { file: await fileOf(t, '{"adminPassword": horse-12345-lang}') },
    { file: await fileOf(t, '{"adminPassword": horse') },
    { env: { TESSERA_NODES: 'me:horse@host/alfresco' } },
    { env: { TESSERA_SHADOW: 'https//me:horse@host/alfresco' } },
    { env: { TESSERA_SHADOW: 'https://host/alfresco?alf_ticket=horse' } },
    { env: { TESSERA_ALLOWED_ORIGINS: 'https://me:horse@portal.example.org' } },
    { env: { TESSERA_PORT: 'redis://me:horse@host:6379' } },
  ];
  for (const sources of withSecret) {
    const faults = faultsOf(sources);
    assert.equal(faults.length, 1);
    assert.ok(!faults.join().includes('horse'), faults.join());
  }
});

test('a setting that stands in the settings file twice is a fault, and neither value is shown', async (t) => {
  const text = '{"loginGet":false,"adminPassword":"one","adminPassword":"two","loginGet":true}';
  const file = await fileOf(t, text);
  assert.deepEqual(faultsOf({ file }), [
    `settings file ${file}: "adminPassword" stands there more than once: leave one`,
    `settings file ${file}: "loginGet" stands there more than once: leave one`,
  ]);
});

test('a settings file that is no JSON is reported with the place of its fault', async (t) => {
  const file = await fileOf(t, '{\n  "port": 8080,\n  "adminPassword": horse\n}');
  assert.deepEqual(faultsOf({ file }), [
    `settings file ${file}: cannot be read: it is not JSON from line 3, column 20 on`,
  ]);
});

test('a byte order mark before the settings is no fault', async (t) => {
  assert.deepEqual(faultsOf({ file: await fileOf(t, '\ufeff{"port": 1}') }), []);
});

test('a deadline longer than a timer can hold is refused, since it would expire at once', () => {
  for (const key of ['hashDeadline', 'requestDeadline', 'stopDeadline', 'nodesDeadline'] as const) {
    assert.deepEqual(faultsOf({ flags: { [key]: 'PT1M' } }), []);
    assert.equal(faultsOf({ flags: { [key]: 'P25D' } }).length, 1, key);
  }
});

test('a password hash with less memory than its lanes need is refused, with the mend', () => {
  const env = { TESSERA_HASH_MEMORY: '31', TESSERA_HASH_LANES: '4' };
  assert.deepEqual(faultsOf({ env }), [
    'TESSERA_HASH_MEMORY: 31 KiB are too few for 4 lanes: write 32 or more, or fewer lanes in TESSERA_HASH_LANES',
  ]);
  assert.deepEqual(faultsOf({ env: { ...env, TESSERA_HASH_MEMORY: '32' } }), []);
});

test('a database without the one key of all instances is refused, with the mend', () => {
  const env = { TESSERA_DATABASE: 'postgres://tessera@db/tessera' };
  assert.match(faultsOf({ env }).join(), /^TESSERA_THROTTLE_KEY_FILE: name a file that all instances/);
  assert.deepEqual(faultsOf({ env: { ...env, TESSERA_THROTTLE_KEY_FILE: '/run/key' } }), []);
});

test('the URL of a database is not repeated in its fault: it may hold a password', () => {
  const [fault] = faultsOf({ env: { TESSERA_DATABASE: 'mysql://me:hush@db/tessera' } });
  assert.match(String(fault), /^TESSERA_DATABASE: is no URL of a database: write one such as postgres:/);
  assert.doesNotMatch(String(fault), /hush/);
});

test('a password in the URL of the mail server is not shown, and goes into a file', () => {
  const [fault = ''] = faultsOf({ env: { TESSERA_SMTP_URL: 'smtp://ann:quiet@mail.example.org' } });
  assert.match(fault, /has a password in it: leave it out, .*TESSERA_SMTP_PASSWORD_FILE/);
  assert.doesNotMatch(fault, /quiet/);
});
