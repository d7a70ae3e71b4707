import assert from 'node:assert/strict';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { serve } from '../crash/serve.ts';
import { BIN, type Ended, shell } from '../faces/cli/command.ts';
import { freePort } from '../service/free-port.ts';
import { PASSWORD as ADMIN_PASSWORD, startTestService, temporaryFolder } from '../service/start.ts';
import { logIn } from '../service/talk.ts';
import { blocksIn, pageAt } from './page.ts';

const PASSWORD = 'a long quiet river';

const blocksOf = (page: string, kind: string) => blocksIn(pageAt(`how-to/${page}`), kind);

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

test('the page about v1 clients: curl logs in, lists, logs out, and administers', async (t) => {
  const { run } = await startWithAlice(t);
  const { stdout } = await run(blocksOf('v1-clients.md', 'sh').join(''), { password: ADMIN_PASSWORD });
  assert.match(stdout, /"userId":"alice"[\s\S]*"maxItems":10[\s\S]*"id":"dora"[\s\S]*"memberType":"PERSON"/);
});

test('the page about groups: profiles, memberships and roles come out as it shows them', async (t) => {
  const { run } = await startWithAlice(t);
  const [profiles = '', finding = '', joining = '', leaving = '', roles = ''] = blocksOf('groups.md', 'sh');
  const [shown = '', members = ''] = blocksOf('groups.md', 'text');
  assert.ok((await run(profiles)).stdout.endsWith(shown));
  assert.match((await run(finding)).stdout, /^alice [\s\S]*^admin [\s\S]*\[\]\n$/m);
  assert.ok((await run(joining)).stdout.includes(members));
  assert.match((await run(leaving)).stdout, /^staff +Staff$[\s\S]*Removed the group "staff"/m);
  await run(roles);
  const { stdout } = await run('bin/tessera users show alice --json');
  assert.equal(JSON.parse(stdout).role, 'auditor');
});

test('the page about state as a file: its changes are shown, made once, and pruned by the whole file', async (t) => {
  const { service, run, folder } = await startWithAlice(t);
  await run('bin/tessera users remove alice');
  // The data folder of the page is that of the service.
  symlinkSync(service.data, join(folder, 'data'));
  const [making = '', saving = '', applying = '', pruning = ''] = blocksOf('state-as-a-file.md', 'sh');
  const [example = '', changes = ''] = blocksOf('state-as-a-file.md', 'json');
  const [differences = ''] = blocksOf('state-as-a-file.md', 'text');
  await run(making);
  await logIn(service.url, 'alice', PASSWORD);
  await run(saving);
  const saved = JSON.parse(readFileSync(join(folder, 'data/state.json'), 'utf8'));
  const shown = JSON.parse(example);
  assert.deepEqual(Object.keys(saved), Object.keys(shown));
  assert.deepEqual(saved.groups, shown.groups);
  for (const [index, user] of shown.users.entries())
    assert.deepEqual({ ...saved.users[index], passwordHash: '' }, { ...user, passwordHash: '' });
  writeFileSync(join(folder, 'changes.json'), changes);
  const { stdout } = await run(applying);
  const [rehearsed, made] = stdout.split(/^(?:Would add|Added) 2, change[d]? 1, remove[d]? 0\.\n/m);
  assert.deepEqual([rehearsed, made], [differences, differences]);
  assert.match((await run('bin/tessera apply changes.json')).stdout, /^Nothing to change/);
  assert.match((await run(pruning)).stdout, /^Nothing to change/);
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

test('the page about settings: the command line shows those of the file that it names', async (t) => {
  const { run, folder } = await startWithAlice(t);
  const file = join(folder, 'settings.json');
  writeFileSync(file, '{"port": 8081}');
  const [shown = ''] = blocksOf('settings.md', 'sh');
  const { stdout } = await run(shown.replace('/etc/tessera/settings.json', file).replace(/^.* serve\n/m, ''));
  assert.match(stdout, /TESSERA_PORT.*8081/);
});

test('the page about passwords: a password comes in on standard input', async (t) => {
  const { service, run } = await startWithAlice(t);
  const [setting = ''] = blocksOf('passwords.md', 'sh');
  const [, piped = ''] = setting.split('\n');
  await run(piped.replace(PASSWORD, 'a wide silent valley'));
  await logIn(service.url, 'alice', 'a wide silent valley');
});

test('the page about importing users: a file is checked, then imported, and its user logs in', async (t) => {
  const { service, run, folder } = await startWithAlice(t);
  const exported = (await run('bin/tessera users export')).stdout;
  const line = exported.split('\n').find((each) => each.includes('"alice"')) ?? assert.fail(exported);
  writeFileSync(join(folder, 'users.ndjson'), line.replace('"alice"', '"bob"'));
  const other = `printf 'name,passwordHash\\ncarol,%s\\n' '"${JSON.parse(line).passwordHash}"'`;
  writeFileSync(join(folder, 'other-export'), `#!/bin/sh\n${other}\n`, { mode: 0o755 });
  await run(blocksOf('import-users.md', 'sh').join(''));
  for (const name of ['bob', 'carol']) await logIn(service.url, name, PASSWORD);
});

test('the page about TLS: a certificate made on the spot is trusted by the curl line', async (t) => {
  const { run, folder } = await startWithAlice(t);
  const [, making = '', asking = ''] = blocksOf('tls.md', 'sh');
  await run(making.replace(/^TESSERA_TLS.*\n/m, ''));
  const files = { TESSERA_TLS_CERT: join(folder, 'tls.crt'), TESSERA_TLS_KEY: join(folder, 'tls.key') };
  const { port } = new URL(await serve(t, join(folder, 'data'), files).url);
  const { stdout } = await run(asking.replace('localhost:8080', `localhost:${port}`));
  const [, shown = ''] = blocksOf('tls.md', 'json');
  assert.deepEqual(JSON.parse(stdout), JSON.parse(shown));
});

test('the page about the typed client: its program runs, and learns that a ticket is dead', async (t) => {
  const { service, run, folder } = await startWithAlice(t);
  const module = pathToFileURL(join(BIN, '../src/client/client.ts')).href;
  const program = blocksOf('typed-client.md', 'js')
    .join('')
    .replace("'tessera/client'", `'${module}'`)
    .replace('https://host', service.url.replace('/alfresco/service', ''))
    .replace(/, password \}/, `, password: '${PASSWORD}' }`);
  writeFileSync(join(folder, 'program.mjs'), `${program}console.log(forSites.length, forNode.length);`);
  assert.match((await run('node program.mjs')).stdout, /^\d+ \d+\n$/);
});

test('the page about administration over HTTP: its commands and its program administer with the key', async (t) => {
  const { run, folder, service } = await startWithAlice(t);
  const { stdout } = await run(blocksOf('administer-over-http.md', 'sh').join(''));
  assert.match(
    stdout,
    /^Added the client "portal"[\s\S]*^NAME +ADDED\nportal[\s\S]*api-key-added[\s\S]*"storage":\{/m,
  );
  const events = await service.store.read((unit) => unit.events.list({ user: 'alice' }));
  assert.deepEqual(events.map(({ kind, actor }) => [kind, actor]).at(-1), ['unlock', 'key:ops']);
  const module = pathToFileURL(join(BIN, '../src/client/admin.ts')).href;
  const [calling = '', watching = ''] = blocksOf('administer-over-http.md', 'js');
  const program = [
    "import { readFileSync } from 'node:fs';",
    "const key = readFileSync('ops.key', 'utf8').trim();",
    calling.replace("'tessera/admin'", `'${module}'`).replace('http://127.0.0.1:8080', service.url),
    'const controller = new AbortController();',
    'let added = 0;',
    "const adding = setInterval(() => admin.call('POST /clients', { body: { name: 'c-' + (added += 1) } }), 100);",
    watching,
    'clearInterval(adding);',
  ];
  writeFileSync(join(folder, 'program.mjs'), program.join('\n'));
  const told = (await run('node program.mjs')).stdout;
  assert.match(told, /^administrator true\napi-key-added ops: administrator\nclient-added c-\d+\n$/);
});

test('the page about SCIM: its commands make a key, add a user, find it and disable it', async (t) => {
  const { run, service } = await startWithAlice(t, { TESSERA_SCIM: 'true' });
  const blocks = blocksOf('provision-with-scim.md', 'sh').filter((block) => block !== 'bin/tessera serve\n');
  const { stdout } = await run(blocks.join(''));
  assert.match(
    stdout,
    /"patch":\{"supported":true\}[\s\S]*"userName":"nora"[\s\S]*"totalResults":1[\s\S]*"active":false/,
  );
  const events = await service.store.read((unit) => unit.events.list({ user: 'nora' }));
  assert.deepEqual(
    events.map(({ kind, actor }) => [kind, actor]),
    [
      ['user-added', 'key:scim'],
      ['profile-changed', 'key:scim'],
      ['user-disabled', 'key:scim'],
    ],
  );
});

test('the page about conformance: an account made for it is all that its line needs', async (t) => {
  const { service, run, folder } = await startWithAlice(t);
  await service.addUser('probe', { password: PASSWORD });
  writeFileSync(join(folder, 'probe-password'), PASSWORD);
  const [checking = ''] = blocksOf('conformance.md', 'sh');
  const origin = service.url.replace('/alfresco/service', '');
  assert.match((await run(checking.replace('https://host', origin))).stdout, /passed/);
});

test('the page about exporting users: the file has a line with a hash for each', async (t) => {
  const { run, folder } = await startWithAlice(t);
  await run(blocksOf('export-users.md', 'sh').join(''));
  assert.match(readFileSync(join(folder, 'users.ndjson'), 'utf8'), /"name":"alice".*\$argon2id\$/);
});

test('the page about app passwords: one is made, logs in by both ways, and is removed', async (t) => {
  const { run } = await startWithAlice(t);
  const [making = '', logging = '', removing = ''] = blocksOf('app-passwords.md', 'sh');
  const [made = '', removed = ''] = blocksOf('app-passwords.md', 'text');
  const { stdout } = await run(making);
  assert.match(stdout, new RegExp(`^${made.replace('…', '[a-z2-7]{32}').replace(/[.]/g, '\\.')}$`));
  assert.match((await run(logging)).stdout, /"ticket":"TICKET_[\s\S]*"userName":\s*"alice"/);
  const listed = (await run(removing)).stdout;
  assert.match(listed, /^scanner .* 1 *$[\s\S]* scanner$/m);
  assert.ok(listed.endsWith(removed), listed);
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
