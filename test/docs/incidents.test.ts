import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { BIN, type Ended, shell } from '../faces/cli/command.ts';
import { PASSWORD, startTestService, type TestService } from '../service/start.ts';
import { ask, logIn } from '../service/talk.ts';

const CHECKOUT = join(BIN, '..');

/** Why what the pages do with jq cannot be tried here; with TESSERA_TEST_ALL=1 that is a failure. */
function whyNoJq(): string | undefined {
  try {
    execFileSync('jq', ['--version'], { stdio: 'pipe' });
    return undefined;
  } catch {
    const why = 'no jq (Debian: apt-get install jq); TESSERA_TEST_ALL=1 makes that a failure';
    if (process.env.TESSERA_TEST_ALL === '1') throw new Error(why);
    return why;
  }
}

const skip = whyNoJq() ?? false;

/** The blocks of shell of a how-to page. */
function blocksOf(page: string): string[] {
  const text = readFileSync(join(CHECKOUT, 'docs/how-to', page), 'utf8');
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
}

/** A service with alice, and what runs a block of a page beside it. */
async function startWithAlice(t: TestContext) {
  const service = await startTestService(t);
  await service.addUser('alice');
  const run = (block: string, stdin = '', more: Record<string, string> = {}): Promise<Ended> =>
    shell(block.replaceAll('bin/tessera', 'tessera'), {
      stdin,
      cwd: service.data,
      env: { TESSERA_DATA: service.data, ...more },
    });
  return { service, run };
}

const isLive = async ({ url }: TestService, ticket: string) =>
  (await ask(`${url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`)).status === 200;

test('whose a leaked ticket is, its digest tells in the list, the events and the log', async (t) => {
  const { service, run } = await startWithAlice(t);
  const ticket = await logIn(service.url, 'alice');
  await logIn(service.url);
  assert.ok(await isLive(service, ticket));
  const [lookUp = ''] = blocksOf('leaked-ticket.md');
  const { stdout, code } = await run(`${lookUp}echo "$digest"`, `${ticket}\n`);
  assert.equal(code, 0);
  const [listed = '', happened = '', digest = '', ...more] = stdout.trim().split('\n');
  assert.deepEqual(more, []);
  assert.match(listed, new RegExp(`^${digest} +alice +valid `));
  assert.match(happened, new RegExp(` login +alice +127\\.0\\.0\\.1 +${digest}`));
  const logged = service.lines.map((line) => JSON.parse(line)).filter((line) => line.digest === digest);
  assert.deepEqual(
    logged.map(({ user, address }) => [user, address]),
    [
      ['alice', '127.0.0.1'],
      ['alice', '127.0.0.1'],
    ],
  );
});

test('a leaked ticket is ended by itself, and all of the user’s with it', async (t) => {
  const { service, run } = await startWithAlice(t);
  const [leaked, other] = [await logIn(service.url, 'alice'), await logIn(service.url, 'alice')];
  const [, ending = ''] = blocksOf('leaked-ticket.md');
  const [one = '', all = ''] = ending.replace('http://127.0.0.1:8080', service.url).split('\n');
  const { stdout } = await run(`${one} -s -w '%{http_code}'`, '', { ticket: leaked });
  assert.equal(stdout, '204');
  assert.deepEqual([await isLive(service, leaked), await isLive(service, other)], [false, true]);
  assert.equal((await run(all)).code, 0);
  assert.equal(await isLive(service, other), false);
});

test('what operators did last week and who was refused is read from the events', { skip }, async (t) => {
  const { service, run } = await startWithAlice(t);
  for (const name of ['alice', 'alice', 'admin'])
    await assert.rejects(logIn(service.url, name, 'never-anyones-password'));
  assert.equal((await run('bin/tessera users lock alice')).code, 0);
  const [audit = ''] = blocksOf('audit.md');
  const { stdout, stderr, code } = await run(audit);
  assert.deepEqual([stderr, code], ['', 0]);
  const told = stdout
    .trim()
    .split('\n')
    .map((line) => line.split('\t').slice(-5));
  assert.deepEqual(
    told.map(([first, ...more]) => [/Z$/.test(first ?? '') ? 'at' : first, ...more]),
    [
      ['at', 'user-added', '', 'admin', 'first start'],
      ['at', 'lock', userInfo().username, 'alice', ''],
      ['2', 'alice', '127.0.0.1', 'wrong-password'],
      ['1', 'admin', '127.0.0.1', 'wrong-password'],
    ],
  );
});

test('a script logs in with what the environment says, and its ticket ends with it, however it ends', {
  skip,
}, async (t) => {
  const { service, run } = await startWithAlice(t);
  const [script = ''] = blocksOf('script.md');
  const here = script.replace('https://tessera.example.org', service.url);
  const login = { LOGIN_NAME: 'alice', LOGIN_PASSWORD: PASSWORD };
  for (const [end, code] of [
    ['', 0],
    ['exit 3\n', 3],
    ['kill $$\n', 1],
  ] as const) {
    const ended = await run(`${here}echo "$ticket" >&2\n${end}`, '', login);
    assert.equal(ended.code, code, ended.stderr);
    assert.match(ended.stdout, /"mail"/);
    assert.equal(await isLive(service, ended.stderr.trim()), false);
  }
  const refused = await run(here, '', { ...login, LOGIN_PASSWORD: 'never-anyones-password' });
  assert.notEqual(refused.code, 0);
  assert.equal(refused.stdout, '');
  assert.equal(refused.stderr.match(/curl: .*/g)?.join(), 'curl: (22) The requested URL returned error: 403');
});
