import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { BIN, type Ended, environment, run, tesseraOn } from '../../faces/cli/command.ts';
import { PASSWORD, temporaryFolder } from '../../service/start.ts';
import { serviceWithAccounts } from './playing.ts';
import { spoiledServer } from './spoiling-proxy.ts';

const SECRET = new RegExp(`TICKET_[0-9a-f]|${PASSWORD}|${Buffer.from(`ana:${PASSWORD}`).toString('base64')}`);

function tessera(words: readonly string[], stdin = `${PASSWORD}\n`): Promise<Ended> {
  return run('tessera', ['conformance', ...words, '--user', 'ana', '--password-stdin'], { stdin });
}

async function liveTicketsOn(data: string): Promise<object[]> {
  const kept: { state: string }[] = JSON.parse(await tesseraOn(data)('tickets list --user ana --json'));
  return kept.filter(({ state }) => state === 'valid');
}

test('a run against Tessera prints a row for each case, ends with 0 and leaves no ticket behind', async (t) => {
  const { url, data } = await serviceWithAccounts(t);
  const folder = await temporaryFolder(t);
  const file = join(folder, 'password');
  writeFileSync(file, `${PASSWORD}\n`);
  const others = ['--other-user', 'bob', '--other-password-file', file, '--guest', 'guest'];
  const { stdout, stderr, code } = await tessera([url, '--strict', ...others]);
  assert.deepEqual({ stderr, code }, { stderr: '', code: 0 });
  assert.match(stdout, /^CASE +SECTION +MARK +RESULT +EXPECTED +CAME\n/);
  assert.match(stdout, /^get-xml-to-the-byte +3\.1 += +passed$/m);
  assert.match(stdout, /\n\n\d+ passed\n$/);
  assert.doesNotMatch(stdout, SECRET);
  assert.deepEqual(await liveTicketsOn(data), []);
});

test('without the other accounts their cases are skipped, and the run says so', async (t) => {
  const { url } = await serviceWithAccounts(t);
  const { stdout, code } = await tessera([url, '--json', '--only', 'validate-']);
  assert.equal(code, 0);
  const results = Object.fromEntries(
    JSON.parse(stdout).map((row: Record<string, string>) => [row.case, row.result]),
  );
  assert.equal(results['validate-of-another'], 'skipped');
  assert.equal(results['validate-unknown'], 'passed');
});

test('a run in which no case could be played ends with 1', async (t) => {
  const { url } = await serviceWithAccounts(t);
  const { stdout, stderr, code } = await tessera([url, '--only', 'validate-of-another']);
  assert.equal(code, 1);
  assert.match(stdout, /\n1 skipped\n$/);
  assert.match(stderr, /^No case could be played: .*--other-user/);
});

test('against a wrong server it ends with 1 and shows the expected and the received answer, without secrets', async (t) => {
  const { url } = await serviceWithAccounts(t);
  const wrong = await spoiledServer(t, url, (answer, { method, url: target = '' }) => {
    if (method === 'GET' && target.includes('/login/ticket/'))
      answer.text = `${answer.text} for ${PASSWORD} ${target}`;
  });
  const words = [wrong, '--only', 'validate-xml'];
  const table = await tessera(words);
  assert.equal(table.code, 1);
  assert.match(table.stdout, /^validate-xml-to-the-byte .* failed +body "<\?xml .*TICKET_\*\*\*.* +body "/m);
  assert.match(table.stderr, /^1 of 1 cases are not answered as they have to be\.\n$/);
  const json = await tessera([...words, '--json']);
  assert.equal(json.code, 1);
  const [row] = JSON.parse(json.stdout);
  assert.deepEqual([row.result, row.mark], ['failed', '=']);
  for (const { stdout, stderr } of [table, json]) assert.doesNotMatch(stdout + stderr, SECRET);
});

test('tickets that cannot be ended are counted after the report, and a silent server is asked once', async (t) => {
  const { url } = await serviceWithAccounts(t);
  const asked: string[] = [];
  const count = (wanted: string) => asked.filter((method) => method === wanted).length;
  const refusing = await spoiledServer(t, url, (answer, { method = '' }) => {
    asked.push(method);
    if (method === 'DELETE')
      Object.assign(answer, { status: 405, text: `TICKET_${randomBytes(20).toString('hex')}` });
  });
  const silent = await spoiledServer(t, url, (_, { method = '', socket }) => {
    asked.push(method);
    if (method === 'DELETE') socket.destroy();
  });
  for (const [server, why, tries] of [
    [refusing, 'The server answered 405', () => count('POST')],
    [silent, 'No answer: socket hang up', () => 1],
  ] as const) {
    asked.length = 0;
    const { stdout, stderr, code } = await tessera([server, '--only', 'validate-xml']);
    assert.match(stdout, /\n1 passed\n$/);
    assert.equal(code, 0);
    assert.equal(stderr, `${count('POST')} tickets of the run could not be ended: ${why}.\n`);
    assert.equal(count('DELETE'), tries());
  }
});

test('tickets are ended on a server that answers a log-out in its own form', async (t) => {
  const { url, data } = await serviceWithAccounts(t);
  const server = await spoiledServer(t, url, (answer, { method }) => {
    if (method === 'DELETE') Object.assign(answer, { status: 204, headers: {}, text: '' });
  });
  const { stderr, code } = await tessera([server, '--only', 'validate-xml']);
  assert.deepEqual({ stderr, code }, { stderr: '', code: 0 });
  assert.deepEqual(await liveTicketsOn(data), []);
});

test('a run whose report cannot be written ends its tickets', async (t) => {
  const { url, data } = await serviceWithAccounts(t);
  const file = join(await temporaryFolder(t), 'password');
  writeFileSync(file, PASSWORD);
  const full = openSync('/dev/full', 'w');
  const words = ['conformance', url, '--user', 'ana', '--password-file', file, '--only', 'validate-xml'];
  const child = spawn(join(BIN, 'tessera'), words, { env: environment(), stdio: ['ignore', full, 'pipe'] });
  closeSync(full);
  const told = text(child.stderr as Readable);
  assert.deepEqual(await once(child, 'close'), [1, null]);
  assert.match(await told, /could not be written: ENOSPC/);
  assert.deepEqual(await liveTicketsOn(data), []);
});

test('a file without a chosen case sends no request', async (t) => {
  const { url } = await serviceWithAccounts(t);
  const asked: string[] = [];
  const server = await spoiledServer(t, url, (_, { method, url: target = '' }) => {
    asked.push(`${method} ${target.split(/[?]|TICKET/)[0]}`);
  });
  await tessera([server, '--only', 'get-xml-to-the-byte']);
  // The first login, the login of the case, and the log-outs of both tickets.
  const login = ['POST /api/login', 'GET /api/login'];
  assert.deepEqual(asked, [...login, 'DELETE /api/login/ticket/', 'DELETE /api/login/ticket/']);
});

test('a run that is interrupted ends its tickets, and then ends by the signal', async (t) => {
  const { url, data } = await serviceWithAccounts(t);
  const file = join(await temporaryFolder(t), 'password');
  writeFileSync(file, PASSWORD);
  const { promise: started, resolve } = Promise.withResolvers<void>();
  const server = await spoiledServer(t, url, (_, { url: target = '' }) => {
    if (target.includes('/login/ticket/')) resolve();
  });
  const words = ['conformance', server, '--user', 'ana', '--password-file', file];
  const child = spawn(join(BIN, 'tessera'), words, {
    env: environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const printed = text(child.stdout);
  await started;
  child.kill('SIGINT');
  assert.deepEqual(await once(child, 'close'), [null, 'SIGINT']);
  assert.equal(await printed, '');
  assert.deepEqual(await liveTicketsOn(data), []);
});

test('a server may answer as the reference does, unless the run is strict', async (t) => {
  const { url } = await serviceWithAccounts(t);
  const other = await spoiledServer(t, url, (answer) => {
    delete answer.headers.allow;
  });
  const words = [other, '--only', 'wrong-method'];
  const honest = await tessera(words);
  assert.equal(honest.code, 0);
  assert.match(honest.stdout, /^wrong-method +1 +≠ +reference +allow like .* no allow$/m);
  assert.equal((await tessera([...words, '--strict'])).code, 1);
});

test('a refused login is reported without its password and without control characters', async (t) => {
  const { url } = await serviceWithAccounts(t);
  for (const [message, said] of [
    [`No JSON: {"password":"${PASSWORD}"}`, 'The server answered 400'],
    [`No JSON: ${btoa(`ana:${PASSWORD}`)}\u001b[31m\u009b2J`, 'No JSON: ***\ufffd[31m\ufffd2J'],
  ]) {
    const echoing = await spoiledServer(t, url, (answer) => {
      answer.status = 400;
      answer.text = JSON.stringify({ message });
    });
    const { stdout, stderr, code } = await tessera([echoing]);
    assert.deepEqual({ stdout, code }, { stdout: '', code: 1 });
    assert.equal(stderr, `"ana" cannot log in there: ${said} (400).\n`);
  }
});

test('no answer puts control characters into the table or the JSON', async (t) => {
  const { url } = await serviceWithAccounts(t);
  const moving = await spoiledServer(t, url, (answer, { url: target = '' }) => {
    if (target.includes('/login/ticket/')) answer.text = '\u009b2J\u202e\u007f';
  });
  for (const more of [[], ['--json']]) {
    const { stdout, code } = await tessera([moving, '--only', 'validate-xml', ...more]);
    assert.equal(code, 1);
    assert.match(stdout, /\ufffd2J/);
    assert.doesNotMatch(stdout, /(?!\n)[\p{Cc}\p{Cf}]/u);
  }
});

test('a faulty case of your own fails by its name, and the others are played', async (t) => {
  const { url } = await serviceWithAccounts(t);
  const folder = await temporaryFolder(t);
  const request = { ask: 'GET /api/server' };
  const faulty = (name: string, fault: object) => {
    return { name, promise: 'X.', mark: '+', exchanges: [{ request, answer: { status: 200 }, ...fault }] };
  };
  const cases = [
    faulty('no-such-variable', { answer: { status: 200, holds: ['{{tickt}}'] } }),
    faulty('no-pattern', { answer: { status: 200, pattern: '(' } }),
    faulty('no-capture', { capture: { x: { pattern: '(' } } }),
    faulty('sound', {}),
  ];
  writeFileSync(join(folder, 'own.json'), JSON.stringify({ subject: 'Own', section: 'own', cases }));
  const { stdout, stderr, code } = await tessera([url, '--cases', folder]);
  assert.equal(code, 1);
  assert.match(stdout, /^no-such-variable .* failed .* The variable "tickt" was never captured$/m);
  assert.match(stdout, /^no-pattern .* failed .* Invalid regular expression: /m);
  assert.match(stdout, /^no-capture .* failed .* Invalid regular expression: /m);
  assert.match(stdout, /^sound .* passed$/m);
  assert.equal(stderr, '3 of 4 cases are not answered as they have to be.\n');
});

test('a run asks the given server, node, path and v1 API, with or without slashes at the end', async (t) => {
  const { url } = await serviceWithAccounts(t);
  const [asked, askedOfV1]: [string[], string[]] = [[], []];
  const server = await spoiledServer(t, url, (_, { url: target = '' }) => void asked.push(target));
  const v1 = await spoiledServer(t, `${url}/alfresco/api/-default-/public`, (_, { url: target = '' }) => {
    askedOfV1.push(target);
  });
  const places = [
    '--node',
    'workspace://SpacesStore/sites',
    '--path',
    'workspace://SpacesStore/Company Home/Sites',
  ];
  assert.equal((await tessera([`${server}//`, '--only', 'needs-a-user-', ...places])).code, 0);
  assert.ok(asked.includes('/api/node/workspace/SpacesStore/sites/actiondefs'), asked.join('\n'));
  assert.ok(
    asked.includes('/api/path/workspace/SpacesStore/Company%20Home/Sites/actiondefs'),
    asked.join('\n'),
  );
  assert.equal((await tessera([server, '--only', 'v1-ticket', '--v1', v1])).code, 0);
  assert.ok(askedOfV1.some((target) => target.startsWith('/authentication/versions/1/')));
  assert.deepEqual(
    asked.filter((target) => target.includes('/versions/1/')),
    [],
  );
});

test('a mistake in the options is reported before any case is played', async (t) => {
  const { url } = await serviceWithAccounts(t);
  const empty = await temporaryFolder(t);
  for (const [words, stdin, code, said] of [
    [[url], 'wrong', 1, /^"ana" cannot log in there: Login failed \(403\)\.\n$/],
    [['http://127.0.0.1:9'], PASSWORD, 1, /^"ana" cannot log in there: .* gave no answer\.\n$/],
    [[`${url}/nowhere`], PASSWORD, 1, /\(404\)\.\n$/],
    [['nowhere'], PASSWORD, 2, /is no URL/],
    [[url.replace('//', `//ana:${PASSWORD}@`)], PASSWORD, 2, /holds a user name or a password/],
    [[url, '--v1', url.replace('//', `//ana:${PASSWORD}@`)], PASSWORD, 2, /^--v1: .* or a password/],
    [[url, '--only', 'no-such-case'], PASSWORD, 2, /no case whose name holds "no-such-case"/],
    [[url, '--cases', '/nothing/there'], PASSWORD, 2, /^--cases: ENOENT.*\n$/],
    [[url, '--cases', empty], PASSWORD, 2, /^--cases: there are no cases in .*\n$/],
    [[url, '--other-user', 'bob'], PASSWORD, 2, /go together/],
    [[url, '--password-file', '/nothing/there'], PASSWORD, 2, /not by both/],
  ] as const) {
    const ended = await tessera(words, stdin);
    assert.equal(ended.code, code, ended.stderr);
    assert.match(ended.stderr, said);
    assert.doesNotMatch(ended.stderr, SECRET);
    assert.equal(ended.stdout, '');
  }
});
