import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { settingsThatTake } from '../../../src/tools/doctor/hashes.ts';
import { temporaryFolder } from '../../service/start.ts';
import { examine, wellSetUp } from './examined.ts';

test('a set-up without a fault ends the doctor with 0, and nothing is changed', async (t) => {
  const { env } = await wellSetUp(t);
  const { code, of } = await examine(env);
  assert.equal(code, 0);
  assert.match(of('settings', 'ok').join(), /none is dangerous$/);
  assert.match(of('store', 'ok').join(), /can be opened$/);
  assert.match(of('database', 'ok').join(), /has the schema of this version .*it is whole/);
  assert.match(of('users', 'ok').join(), /^1, with an administrator/);
  for (const check of ['settings', 'documents', 'key files', 'database', 'clock', 'users'])
    assert.deepEqual([...of(check, 'fault'), ...of(check, 'warning')], [], check);
});

test('settings that cannot be read are faults, one by one', async () => {
  const { code, of } = await examine({ TESSERA_PORT: 'x', TESSERA_POTR: '1' });
  assert.equal(code, 1);
  assert.match(
    of('settings', 'fault').join('\n'),
    /^TESSERA_POTR: there is no such.*\nTESSERA_PORT: "x" is no/,
  );
  assert.equal(of('all others', 'skipped').length, 1);
});

test('a colour that is too pale for text is a warning with the shade that pages use', async () => {
  const pale = await examine({ TESSERA_BRAND_ACCENT: '#ffcc00' });
  assert.match(
    pale.of('own name', 'warning').join(),
    /#ffcc00 has a contrast of 1\.3 on light pages.*pages use #856a00/,
  );
  const dark = await examine({ TESSERA_BRAND_ACCENT: '#2f50c2' });
  assert.match(
    dark.of('own name', 'ok').join(),
    /#2f50c2 on light pages \(contrast 5\.9\), #\w+ on dark pages \(contrast 4\.5\)/,
  );
  const none = await examine({});
  assert.equal(none.of('own name', 'skipped').length, 1);
});

/** Settings that are valid and dangerous, and the finding of each. */
const DANGEROUS: readonly (readonly [Record<string, string>, RegExp])[] = [
  [
    { TESSERA_HOST: '0.0.0.0', TESSERA_LOGIN_GET: 'false' },
    /^warning passwords and tickets cross .*http:\/\/0\.0\.0\.0:8080 is plain/,
  ],
  [{ TESSERA_HOST: '::', TESSERA_INSECURE_HTTP: 'true' }, /^warning TESSERA_LOGIN_GET: .*=false/],
  [
    { TESSERA_TRUSTED_PROXIES: '10.0.0.1,0.0.0.0/0' },
    /^fault TESSERA_TRUSTED_PROXIES: 0\.0\.0\.0\/0 trusts every/,
  ],
  [{ TESSERA_TRUSTED_PROXIES: '::/0' }, /^fault TESSERA_TRUSTED_PROXIES: ::\/0 trusts every/],
  [{ TESSERA_THROTTLE_AFTER: '0' }, /^warning TESSERA_THROTTLE_AFTER=0: .*at one address/],
  [{ TESSERA_LOCKOUT_THRESHOLD: '0' }, /^warning TESSERA_LOCKOUT_THRESHOLD=0: .*many addresses/],
  [
    { TESSERA_TICKET_IDLE: 'off', TESSERA_TICKET_AGE: 'off' },
    /^warning TESSERA_TICKET_IDLE and TESSERA_TICKET_AGE/,
  ],
  [{ TESSERA_NODES_PLAIN_HTTP: 'true' }, /^warning TESSERA_NODES_PLAIN_HTTP=true/],
  [
    { TESSERA_ALLOWED_ORIGINS: 'http://app.example.org' },
    /^warning TESSERA_ALLOWED_ORIGINS: pages of http:\/\/app/,
  ],
  [{ TESSERA_HASH_MEMORY: '8' }, /^warning TESSERA_HASH_MEMORY=8 and TESSERA_HASH_PASSES=2/],
  [{ TESSERA_LOG_LEVEL: 'silent' }, /^warning TESSERA_LOG_LEVEL=silent/],
];

test('each dangerous setting is found, and says how to mend it', async (t) => {
  const { env } = await wellSetUp(t);
  for (const [dangerous, finding] of DANGEROUS) {
    const { of } = await examine({ ...env, ...dangerous });
    const found = (['fault', 'warning'] as const).flatMap((level) =>
      of('settings', level).map((text) => `${level} ${text}`),
    );
    assert.equal(found.length, 1, JSON.stringify(dangerous));
    assert.match(found[0] as string, finding);
  }
});

test('each document that cannot be loaded is a fault that names its place', async (t) => {
  const { env } = await wellSetUp(t);
  const folder = await temporaryFolder(t);
  const file = join(folder, 'document.json');
  writeFileSync(file, '{\n "rules": 1 }');
  const given = {
    TESSERA_GATE_URI_HEADER: 'X-Original-URL',
    TESSERA_TRUSTED_PROXIES: '10.0.0.1',
    TESSERA_BREACHED_PASSWORDS: join(folder, 'none'),
  };
  for (const name of [
    'TESSERA_GATE_RULES',
    'TESSERA_DEFINITIONS',
    'TESSERA_MODEL',
    'TESSERA_PROVIDERS',
    'TESSERA_WEBHOOKS',
  ]) {
    const faults = (await examine({ ...env, ...given, [name]: file })).of('documents', 'fault');
    assert.match(faults[0] ?? '', new RegExp(`^${name}: ${file}:\\d+\\b.*: mend the document`));
    assert.match(faults[1] ?? '', /^TESSERA_BREACHED_PASSWORDS: .*none/);
  }
});

const MEASURED =
  /^at most ([\d.]+) logins a second: a check of a password takes ([\d.]+) ms while (\d+) run at a time; (TESSERA_HASH_PASSES=.*) would make it about 250 ms$/;

test('the doctor measures logins a second at the set cost, and names the cost that takes 250 ms', async (t) => {
  const { env } = await wellSetUp(t);
  const { of } = await examine({ ...env, TESSERA_HASH_MEMORY: '19456', TESSERA_HASH_PASSES: '2' });
  const [text = ''] = of('hashes', 'ok');
  const [, rate = 0, each = 0, atOnce = 0, named] = MEASURED.exec(text) ?? assert.fail(text);
  assert.equal(Number(atOnce), availableParallelism());
  // Both figures are rounded to two digits.
  assert.ok(Math.abs((Number(rate) * Number(each)) / 1_000 / Number(atOnce) - 1) < 0.12, text);
  const near = [0.94, 1, 1.06].map((part) =>
    settingsThatTake(250, { memory: 19_456, passes: 2 }, Number(each) * part),
  );
  const passesIn = (settings = '') => Number(/PASSES=(\d+)/.exec(settings)?.[1]);
  assert.ok(passesIn(near[0]) >= passesIn(named) && passesIn(named) >= passesIn(near[2]), text);
});

test('passes bring a check to 250 ms while they can, and memory beyond that', () => {
  const takes = (each: number) => settingsThatTake(250, { memory: 20_000, passes: 2 }, each);
  assert.equal(takes(25), 'TESSERA_HASH_PASSES=20');
  assert.equal(takes(500), 'TESSERA_HASH_PASSES=1');
  assert.equal(takes(2_000), undefined);
  const withLittle = settingsThatTake(250, { memory: 4_864, passes: 1 }, 2);
  assert.equal(withLittle, 'TESSERA_HASH_PASSES=31 and TESSERA_HASH_MEMORY=19456');
  assert.equal(takes(2.5), 'TESSERA_HASH_PASSES=100 and TESSERA_HASH_MEMORY=40000');
});
