import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { BIN, type Ended, shell } from '../cli/command.ts';
import { freePort } from '../service/free-port.ts';
import { startTestService, temporaryFolder } from '../service/start.ts';
import { logIn } from '../service/talk.ts';

const PASSWORD = 'a long quiet river';

/** The blocks of a kind on a how-to page, in their order. */
function blocksOf(page: string, kind: string): string[] {
  const text = readFileSync(join(BIN, '../docs/how-to', page), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, block = '']) => block,
  );
}

/** A service with alice, who is logged in, and what runs commands of a page beside it, where `$ticket` is hers. */
async function startWithAlice(t: TestContext, settings: Record<string, string> = {}) {
  const service = await startTestService(t, settings);
  await service.addUser('alice', { password: PASSWORD });
  const folder = await temporaryFolder(t);
  const ticket = await logIn(service.url, 'alice', PASSWORD);
  const run = async (commands: string, more: Record<string, string> = {}): Promise<Ended> => {
    const env = { TESSERA_DATA: service.data, ticket, PATH: `${folder}:${BIN}:${process.env.PATH}`, ...more };
    const here = commands
      .replaceAll('bin/tessera', 'tessera')
      .replaceAll('http://127.0.0.1:8080', service.url);
    const ended = await shell(`set -e\n${here}`, { cwd: folder, env });
    assert.equal(ended.code, 0, ended.stderr);
    assert.doesNotMatch(ended.stdout, /"(?:code|statusCode)":[45]\d\d|<code>[45]/);
    return ended;
  };
  return { service, folder, run };
}

const metricsPort = async (): Promise<Record<string, string>> => ({
  TESSERA_METRICS_PORT: String(await freePort()),
});

test('the page about logging in: two ways give tickets, which the third block validates and ends', async (t) => {
  const { run } = await startWithAlice(t);
  const { stdout } = await run(blocksOf('log-in.md', 'sh').join(''));
  assert.equal(stdout.match(/"ticket":"TICKET_[0-9a-f]{40}"/g)?.length, 2, stdout);
  assert.match(stdout, /<ticket>TICKET_[\s\S]*Deleted Ticket TICKET_/);
});

test('the page about lists of actions: each of its lines is answered with definitions', async (t) => {
  const { run } = await startWithAlice(t);
  const { stdout } = await run(blocksOf('list-actions.md', 'sh').join(''));
  assert.equal(stdout.match(/"name":"mail"/g)?.length, 4, stdout);
});

test('the page about v1 clients: curl logs in, lists and logs out', async (t) => {
  const { run } = await startWithAlice(t);
  const { stdout } = await run(blocksOf('v1-clients.md', 'sh').join(''));
  assert.match(stdout, /"userId":"alice"[\s\S]*"maxItems":10/);
});

test('the page about nodes: they are imported, shown, exported and removed', async (t) => {
  const { run, folder } = await startWithAlice(t);
  const [nodes = '', told = ''] = blocksOf('import-nodes.md', 'text');
  writeFileSync(join(folder, 'nodes.ndjson'), nodes);
  writeFileSync(join(folder, 'some-export'), '#!/bin/sh\ncat nodes.ndjson\n', { mode: 0o755 });
  const [importing = '', looking = ''] = blocksOf('import-nodes.md', 'sh');
  const { stdout } = await run(importing);
  assert.ok(stdout.startsWith(told), stdout);
  assert.match((await run(looking)).stdout, /contract-17/);
  assert.match(readFileSync(join(folder, 'nodes.ndjson'), 'utf8'), /"id":"contract-17"/);
});

test('the page about exporting users: the file has a line with a hash for each', async (t) => {
  const { run, folder } = await startWithAlice(t);
  await run(blocksOf('export-users.md', 'sh').join(''));
  assert.match(readFileSync(join(folder, 'users.ndjson'), 'utf8'), /"name":"alice".*\$argon2id\$/);
});

test('the page about API gateways: a registered one asks about a ticket and ends it', async (t) => {
  const { run } = await startWithAlice(t);
  const [adding = '', ...asking] = blocksOf('api-gateways.md', 'sh');
  const [, secret = ''] = /(SECRET_\w+)/.exec((await run(adding)).stdout) ?? assert.fail();
  const { stdout } = await run(asking.join(''), { secret });
  assert.match(stdout, /^\{"active":true,"username":"alice","sub":"\d+","iat":\d+,"exp":\d+\}\{\}$/);
  const [shown = ''] = blocksOf('api-gateways.md', 'json');
  assert.deepEqual(Object.keys(JSON.parse(shown)), ['active', 'username', 'sub', 'iat', 'exp']);
});

test('the page about watching: readiness and metrics answer where it says', async (t) => {
  const settings = await metricsPort();
  const { run } = await startWithAlice(t, settings);
  const [asking = ''] = blocksOf('watch.md', 'sh');
  const { stdout } = await run(asking.replaceAll(':9464', `:${settings.TESSERA_METRICS_PORT}`));
  assert.match(stdout, /tessera_logins_total\{/);
});

test('the page about a newer version: the state of the schema is shown, and brought up to date', async (t) => {
  const { run } = await startWithAlice(t);
  const [, looking = ''] = blocksOf('newer-version.md', 'sh');
  assert.notEqual((await run(looking)).stdout, '');
});
