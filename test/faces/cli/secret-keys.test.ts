import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Secret } from 'otpauth';
import { STEP, withApp } from '../../capabilities/factors/pages/second-factor-browse.ts';
import { startTestService, temporaryFolder } from '../../service/start.ts';
import { run } from './command.ts';

const MINUTE = 60_000;
const fileIn = (data: string) => join(data, 'secret-keys');

/** A service whose user anna has an app, and the command line beside it. */
async function started(t: TestContext, env: Record<string, string> = {}) {
  const service = await startTestService(t, env);
  const anna = await withApp(service);
  const settings = { TESSERA_DATA: service.data, ...env };
  const tessera = (words: string) => run('tessera', words.split(' '), { env: settings });
  /** The status of a sign-in with the next code of the app. */
  const signIn = async (code?: string) => {
    anna.pass(MINUTE);
    const browser = await anna.atSecondStep();
    return (await browser.post(STEP, { code: code ?? anna.code() })).status;
  };
  return { service, anna, tessera, signIn };
}

const idsIn = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(/\s+/));

test('the keys are made for the first app, in a file that only its owner reads', async (t) => {
  const service = await startTestService(t);
  assert.ok(!existsSync(fileIn(service.data)));
  await withApp(service);
  assert.match(readFileSync(fileIn(service.data), 'utf8'), /^[0-9a-f]{64} \d{4}-\S+Z\n$/);
  assert.equal(statSync(fileIn(service.data)).mode & 0o777, 0o600);
});

test('before the first app there is no key: nothing is rotated, and no file is made', async (t) => {
  const service = await startTestService(t);
  const tessera = (words: string) =>
    run('tessera', words.split(' '), { env: { TESSERA_DATA: service.data } });
  const sentence =
    'There is no key yet: the service makes it for the first authenticator app. The store has no secret to encrypt.\n';
  for (const words of ['rotate', 'rotate --drop-old', 'encrypt'])
    assert.deepEqual(await tessera(`secret-keys ${words}`), { code: 0, stdout: sentence, stderr: '' });
  const listed = await tessera('secret-keys list --json');
  assert.deepEqual([listed.code, JSON.parse(listed.stdout), listed.stderr], [0, [], sentence]);
  assert.ok(!existsSync(fileIn(service.data)));
});

test('a copy of the database shows no secret of an app', async (t) => {
  const { service, anna } = await started(t);
  const secret = Buffer.from(Secret.fromBase32(anna.key).buffer);
  const files = readdirSync(service.data).filter((name) => name.startsWith('tessera.db'));
  assert.ok(files.length > 0);
  for (const name of files) {
    const bytes = readFileSync(join(service.data, name));
    for (const shown of [secret, anna.key, secret.toString('hex'), secret.toString('base64')])
      assert.ok(!bytes.includes(shown), name);
    for (const code of anna.codes)
      assert.ok(!bytes.includes(code) && !bytes.includes(code.replaceAll('-', '')));
  }
});

test('keys are rotated while the service runs, and old ones are dropped when no secret needs them', async (t) => {
  const { tessera, signIn, service } = await started(t);
  const [[before = '']] = idsIn((await tessera('secret-keys list')).stdout) as [string[]];
  const rotated = await tessera('secret-keys rotate');
  assert.equal(rotated.code, 0, rotated.stderr);
  const rows = idsIn((await tessera('secret-keys list')).stdout);
  const [fresh = ''] = rows[0] ?? [];
  assert.equal(rotated.stdout, `Encrypted 1 secret anew with the key ${fresh}.\n`);
  assert.deepEqual(
    rows.map(([id, , secrets]) => [id, secrets]),
    [
      [fresh, '1'],
      [before, '0'],
    ],
  );
  assert.equal(await signIn(), 303);
  const dropped = await tessera('secret-keys encrypt --drop-old');
  assert.match(dropped.stdout, /^Encrypted 0 secrets anew .*\nDropped every other key\.\n$/);
  assert.equal(await signIn(), 303);
  assert.equal(readFileSync(fileIn(service.data), 'utf8').trim().split('\n').length, 1);
  const twice = await tessera('secret-keys rotate --drop-old');
  assert.match(twice.stdout, /^Encrypted 1 secret anew .*\nDropped every other key\.\n$/);
  assert.equal(await signIn(), 303);
});

test('without its keys an app is refused and the log says what to do; recovery codes go on', async (t) => {
  const { service, anna, tessera, signIn } = await started(t);
  rmSync(fileIn(service.data));
  assert.equal(await signIn(), 403);
  assert.equal(await signIn(), 403);
  const told = service.lines.filter((line) => line.includes('cannot be decrypted'));
  assert.equal(told.length, 1);
  assert.match(
    told[0] ?? '',
    /put the kept file of keys back; if it is lost, reset the second factor of each user/,
  );
  const listed = await tessera('secret-keys list');
  assert.match(
    listed.stderr,
    /^No key decrypts 1 secret of authenticator apps: put the kept keys back into /,
  );
  assert.equal(await signIn(anna.codes[0]), 303);
});

test('a file of keys that cannot be read as such says which line is wrong', async (t) => {
  const file = join(await temporaryFolder(t), 'keys');
  const { tessera } = await started(t, { TESSERA_SECRET_KEYS_FILE: file });
  assert.equal((await tessera('secret-keys list')).code, 0);
  for (const [text, why] of [
    ['', /it holds no key: put the kept one there, or write 64 hex digits/],
    [`${'ab'.repeat(32)}\nchange-me\n`, /line 2 holds no key: it has 64 hex digits/],
    [`${'ab'.repeat(32)} yesterday\n`, /line 1 holds no key/],
  ] as const) {
    writeFileSync(file, text);
    const { code, stderr } = await tessera('secret-keys list');
    assert.equal(code, 2);
    assert.match(stderr, /TESSERA_SECRET_KEYS_FILE: .*keys cannot be used: /);
    assert.match(stderr, why);
  }
});
