import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { environment, run } from '../faces/cli/command.ts';
import { freePort } from '../service/free-port.ts';
import { PASSWORD, startTestService } from '../service/start.ts';
import { addDependencies, installed, pack, TSC } from './package.ts';
import { assertSuppliesTold } from './supplies.ts';

const CONSUMER = fileURLToPath(new URL('consumer.ts.txt', import.meta.url));
const STRICT = ['--strict', '--noEmit', '--target', 'es2024', '--lib', 'es2024,dom', '--types', ''];
const BUNDLED = ['--module', 'esnext', '--moduleResolution', 'bundler'];
const ADMIN_PROGRAM = `
import { AdminClient, Refused } from 'tessera/admin';
const admin = new AdminClient(process.argv[2], { key: process.argv[3] });
const { value } = await admin.call('POST /clients', { body: { name: 'portal' } });
const names = [];
for await (const { name } of admin.list('GET /clients')) names.push(name);
const again = await admin.call('POST /clients', { body: { name: 'portal' } }).catch((error) => error instanceof Refused && error.code);
console.log(value.secret.length, names, again);
`;
const PROGRAM = `
import { Client, Refused } from 'tessera/client';
const client = new Client(process.argv[2]);
const { ticket } = await client.login({ username: 'admin', password: process.argv[3] });
const mine = client.withTicket(ticket);
const list = await mine.actionDefinitions({ path: 'Company Home' });
await mine.logout();
const after = await mine.validate().catch((error) => error instanceof Refused && error.code);
console.log(list.length > 0, after);
`;

test('the package', async (t) => {
  const { tarball, folder, tessera } = await installed(t);

  await t.test('holds compiled code, and neither sources nor tests', () => {
    const names = readdirSync(tessera, { recursive: true, encoding: 'utf8' });
    for (const name of ['dist/client/client.d.ts', 'dist/main/command-line.js', 'conformance/player/run.js'])
      assert.ok(names.includes(name), name);
    const stray = names.filter((name) => /(^|\/)(src|test|node_modules)(\/|$)|(?<!\.d)\.ts$/.test(name));
    assert.deepEqual(stray, []);
  });

  await t.test('is the same to the byte if it is built elsewhere, later and by another user', async (t) => {
    const built = await pack(t, '077', { TZ: 'Asia/Tokyo', LANG: 'de_DE.UTF-8' });
    assert.ok(readFileSync(built).equals(readFileSync(tarball)));
  });

  await t.test('names each package that it brings, in its lock, bill of materials and notices', () => {
    assertSuppliesTold(tessera);
  });

  await t.test('holds no secrets of compose in the checkout', () => {
    assert.deepEqual(
      readdirSync(join(tessera, 'deploy')).filter((name) => name === 'secrets'),
      [],
    );
  });

  await t.test('holds the files that its README links', () => {
    const files = ['.', 'docs'].flatMap((folder) => {
      const page = readFileSync(join(tessera, folder, 'README.md'), 'utf8');
      return [...page.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, file = '']) => join(folder, file));
    });
    assert.ok(files.length > 20);
    assert.deepEqual(
      files.filter((file) => !existsSync(join(tessera, file))),
      [],
    );
  });

  await t.test('holds the OpenAPI document that a service of its version serves', async (t) => {
    const { url } = await startTestService(t);
    const headers = { authorization: `Basic ${btoa(`admin:${PASSWORD}`)}` };
    const served = await fetch(`${url}/alfresco/service/openapi.json`, { headers });
    const packed = readFileSync(join(tessera, 'docs/reference/openapi.json'), 'utf8');
    assert.deepEqual(JSON.parse(packed), await served.json());
  });

  await t.test('brings no Node that would replace the user’s Node', () => {
    const { dependencies, optionalDependencies, bin } = JSON.parse(
      readFileSync(join(tessera, 'package.json'), 'utf8'),
    );
    assert.deepEqual(bin, { tessera: 'bin/tessera' });
    assert.equal(optionalDependencies, undefined);
    assert.ok(Object.keys(dependencies).length > 0);
    for (const name of Object.keys(dependencies)) assert.doesNotMatch(name, /^node-/);
  });

  await t.test('brings a client that imports nothing but itself', () => {
    const files = readdirSync(join(tessera, 'dist/client'));
    assert.ok(files.length > 0);
    for (const file of files) {
      const text = readFileSync(join(tessera, 'dist/client', file), 'utf8');
      const named = [...text.matchAll(/(?:\bfrom|\bimport\(?)\s*['"]([^'"]+)['"]/g)].map(
        ([, name = '']) => name,
      );
      for (const name of named) {
        assert.match(name, /^\.\/[\w-]+\.js$/, `${file} imports ${name}`);
        assert.ok(files.includes(name.slice(2)), `${file} imports ${name}, which is not there`);
      }
    }
  });

  await t.test('runs under plain Node, with no other package there', async (t) => {
    const { url, addApiKey } = await startTestService(t);
    writeFileSync(join(folder, 'admin.mjs'), ADMIN_PROGRAM);
    const key = await addApiKey('administrator');
    const administered = await run('node', ['admin.mjs', url, key], { cwd: folder });
    assert.deepEqual(administered, { stdout: "71 [ 'portal' ] client_taken\n", stderr: '', code: 0 });
    writeFileSync(join(folder, 'program.mjs'), PROGRAM);
    const ended = await run('node', ['program.mjs', url, PASSWORD], { cwd: folder });
    assert.deepEqual(ended, { stdout: 'true authentication_needed\n', stderr: '', code: 0 });
  });

  await t.test('brings the types of the client, which need no other types', async () => {
    copyFileSync(CONSUMER, join(folder, 'consumer.mts'));
    const node = ['--module', 'nodenext'];
    for (const manner of [BUNDLED, node]) {
      const { stdout, code } = await run(TSC, [...STRICT, ...manner, 'consumer.mts'], { cwd: folder });
      assert.deepEqual({ stdout, code }, { stdout: '', code: 0 });
    }
  });

  await t.test('brings the command line, which runs where it is installed', async () => {
    addDependencies(folder);
    const env = { TESSERA_DATA: join(folder, 'data') };
    const tool = join(tessera, 'bin/tessera');
    const added = await run(tool, ['users', 'add', 'ana', '--no-password'], { cwd: folder, env });
    assert.deepEqual(added, { stdout: 'Added "ana".\n', stderr: '', code: 0 });
    const { version } = JSON.parse(readFileSync(join(tessera, 'package.json'), 'utf8'));
    assert.equal((await run(tool, ['--version'], { cwd: folder })).stdout, `${version}\n`);
    const { stdout } = await run(tool, ['definitions', 'list', '--json'], { cwd: folder, env });
    assert.ok(JSON.parse(stdout).length > 0);
  });

  await t.test('plays the published cases', async (t) => {
    const { url } = await startTestService(t);
    const words = ['conformance', url, '--user', 'admin', '--password-stdin', '--only', 'to-the-byte'];
    const ended = await run(join(tessera, 'bin/tessera'), words, { cwd: folder, stdin: PASSWORD });
    assert.match(ended.stdout, /^get-xml-to-the-byte .* passed$/m);
    assert.deepEqual({ stderr: ended.stderr, code: ended.code }, { stderr: '', code: 0 });
  });

  await t.test('serves with several processes', async (t) => {
    const env = environment({
      TESSERA_DATA: join(folder, 'shared'),
      TESSERA_WORKERS: '2',
      TESSERA_PORT: '0',
      TESSERA_METRICS_PORT: String(await freePort()),
    });
    const child = spawn(join(tessera, 'bin/tessera'), ['serve'], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    t.after(() => child.kill('SIGKILL'));
    const ended = once(child, 'close');
    let said = '';
    let stopped = false;
    for await (const chunk of child.stderr.setEncoding('utf8')) {
      said += chunk;
      // A second signal would end it at once.
      if (!stopped && said.includes('listens on')) stopped = child.kill('SIGTERM');
    }
    assert.match(said, /listens on http/);
    assert.deepEqual(await ended, [0, null]);
  });
});
