import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { BIN, environment, run } from '../../../faces/cli/command.ts';
import { afterwards } from '../../../service/afterwards.ts';
import { PASSWORD, temporaryFolder } from '../../../service/start.ts';
import { ask, logIn } from '../../../service/talk.ts';
import { aDefinition, folderOf } from './documents.ts';

const PORTS = { TESSERA_PORT: '0', TESSERA_METRICS_PORT: '0', TESSERA_ADMIN_PASSWORD: PASSWORD };

const only = (name: string) => JSON.stringify({ extends: 'none', definitions: [aDefinition(name)] });

/** A service in its own process, with the lines of its log. `early` runs once it opens its store. */
async function serving(
  t: TestContext,
  env: Record<string, string>,
  early: (child: ChildProcess) => void = () => undefined,
) {
  const data = await temporaryFolder(t);
  const child: ChildProcess = spawn(`${BIN}/tessera`, ['serve'], {
    env: environment({ ...PORTS, TESSERA_DATA: data, ...env }),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  afterwards(t, async () => {
    child.kill('SIGTERM');
    if (isRunning()) await once(child, 'exit');
  });
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  const lineWith = async (text: string): Promise<Record<string, unknown>> => {
    for (let next = await lines.next(); !next.done; next = await lines.next())
      if (next.value.includes(text)) return JSON.parse(next.value);
    throw new Error(`the log ended without ${text}`);
  };
  while (isRunning() && !existsSync(`${data}/tessera.db`)) await pause(1);
  early(child);
  const { url } = await lineWith('"listening"');
  return { url: String(url), child, lineWith };
}

test('SIGHUP loads the catalogue again, and a faulty one changes nothing', async (t) => {
  // The document is a link into another folder, so only the signal can reveal its change.
  const documents = await folderOf(t, { 'own.json': only('first') });
  const { at } = await folderOf(t, {});
  symlinkSync(documents.at('own.json'), at('own.json'));
  const { url, child, lineWith } = await serving(t, { TESSERA_DEFINITIONS: at('own.json') });
  const ticket = await logIn(url);
  const names = async () => {
    const { text } = await ask(`${url}/api/rules/actiondefs?alf_ticket=${ticket}`);
    return JSON.parse(text).map(({ name }: { name: string }) => name);
  };
  assert.deepEqual(await names(), ['first']);

  writeFileSync(documents.at('own.json'), only('second'));
  child.kill('SIGHUP');
  await lineWith('catalogue loaded');
  assert.deepEqual(await names(), ['second']);

  writeFileSync(documents.at('own.json'), '{\n"definitions": 5}');
  child.kill('SIGHUP');
  const { err } = await lineWith('catalogue faulty');
  assert.match((err as Error).message, /own\.json:2 \/definitions: /);
  assert.deepEqual(await names(), ['second']);
});

for (const workers of ['1', '2']) {
  test(`SIGHUP while the service starts does not end it, and reloads what it has read; workers: ${workers}`, async (t) => {
    const { url, lineWith } = await serving(t, { TESSERA_WORKERS: workers }, (child) => child.kill('SIGHUP'));
    await lineWith('catalogue loaded');
    assert.equal((await ask(`${url}/api/server`)).status, 200);
  });
}

for (const [variable, document, place] of [
  ['TESSERA_DEFINITIONS', '{\n"definitions": 5}', /own\.json:2 \/definitions: /],
  [
    'TESSERA_MODEL',
    '{\n"types": [{"name": "a:a", "parent": "a:b"}]}',
    /own\.json:2 \/types\/0: a:a descends/,
  ],
] as const) {
  test(`the service does not start with a fault behind ${variable}: it says where, with exit code 1`, async (t) => {
    const { at } = await folderOf(t, { 'own.json': document });
    const data = await temporaryFolder(t);
    const env = { ...PORTS, TESSERA_DATA: data, [variable]: at('own.json') };
    const { code, stdout, stderr } = await run('tessera', ['serve'], { env });
    assert.equal(code, 1);
    assert.match(stderr, place);
    assert.ok(!stderr.includes('    at '), 'a fault of the operator needs no stack');
    assert.ok(!stdout.includes('listening'));
  });
}

test('the service does not start when its document is not there', async (t) => {
  const data = await temporaryFolder(t);
  const env = { ...PORTS, TESSERA_DATA: data, TESSERA_DEFINITIONS: `${data}/nothing.json` };
  const { code, stderr } = await run('tessera', ['serve'], { env });
  assert.equal(code, 1);
  assert.match(stderr, /nothing\.json: cannot be read: /);
});
