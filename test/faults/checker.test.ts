import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type TestContext, test } from 'node:test';
import { Line } from './asking.ts';
import { Book } from './book.ts';
import { checkAll } from './check.ts';
import type { Member } from './fleet.ts';
import { Ledger } from './ledger.ts';
import { UserAgent } from './user-agent.ts';

const TICKET = `TICKET_${'0'.repeat(40)}`;

/** An instance that answers as it is told to. */
async function member(t: TestContext, name: string, listener: RequestListener): Promise<Member> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const line = new Line(`http://127.0.0.1:${(server.address() as { port: number }).port}`);
  t.after(() => {
    line.close();
    server.close();
  });
  return { name, alive: true, line };
}

const saying =
  (status: number, headers = {}): RequestListener =>
  (_, response) =>
    response.writeHead(status, headers).end(JSON.stringify({ data: { ticket: TICKET } }));

/** A ticket that was logged in, and perhaps out again, with the book that judges what is said of it. */
function known(state: 'live' | 'ending' | 'dead') {
  const [book, ledger] = [new Book(), new Ledger()];
  ledger.loggedIn(TICKET).state = state;
  return { book, ledger };
}

for (const [state, status] of [
  ['live', 401],
  ['live', 404],
  ['dead', 200],
] as const) {
  test(`a ticket that is ${state} and answered ${status} is a wrong answer, and lost`, async (t) => {
    const { book, ledger } = known(state);
    const findings = await checkAll([await member(t, 'A', saying(status))], ledger, book);
    assert.equal(findings.lost, 1);
    assert.equal(book.wrong.length, 1);
    assert.doesNotMatch(book.wrong.join(), new RegExp(TICKET));
  });
}

test('a ticket that is live and answered 200, or dead and answered 401, is right', async (t) => {
  for (const [state, status] of [
    ['live', 200],
    ['dead', 401],
  ] as const) {
    const { book, ledger } = known(state);
    const findings = await checkAll([await member(t, 'A', saying(status))], ledger, book);
    assert.deepEqual(findings, { lost: 0, undecided: 0 });
    assert.deepEqual([book.wrong.length, book.right], [0, 1]);
  }
});

test('instances that do not agree on a ticket of unknown fate are found out', async (t) => {
  const { book, ledger } = known('ending');
  const members = [await member(t, 'A', saying(200)), await member(t, 'B', saying(401))];
  assert.deepEqual(await checkAll(members, ledger, book), { lost: 0, undecided: 1 });
});

test('a 503 that says when to come again is put off, one that does not is wrong, and so is a 500', async (t) => {
  const { book, ledger } = known('live');
  const agent = new UserAgent(book, ledger);
  const entry = ledger.any();
  assert.ok(entry);
  await agent.validate(await member(t, 'A', saying(503, { 'retry-after': '1' })), entry);
  assert.deepEqual([book.later, book.wrong.length], [1, 0]);
  await agent.validate(await member(t, 'B', saying(503)), entry);
  await agent.validate(await member(t, 'C', saying(500)), entry);
  assert.deepEqual([book.later, book.wrong.length], [1, 2]);
});

test('a logout that is not answered leaves the fate of its ticket open; a login that is refused is wrong', async (t) => {
  const { book, ledger } = known('live');
  const agent = new UserAgent(book, ledger);
  const entry = ledger.any();
  assert.ok(entry);
  const silent = await member(t, 'A', (request) => request.socket.destroy());
  assert.equal(await agent.logOut(silent, entry), false);
  assert.deepEqual([entry.state, book.unanswered], ['ending', 1]);
  assert.equal(await agent.logOut({ ...silent, alive: false }, entry), false);
  assert.deepEqual([book.unanswered, book.cut], [1, 1]);
  assert.equal(await agent.logIn(await member(t, 'B', saying(403)), 'ada'), undefined);
  assert.equal(book.wrong.length, 1);
});

test('a wrong answer inside the window of a fail-over is counted apart, and only there', async (t) => {
  const { book, ledger } = known('dead');
  book.allowStale(60_000);
  const stale = [await member(t, 'A', saying(200))];
  await checkAll(stale, ledger, book);
  assert.deepEqual([book.stale, book.wrong.length], [1, 0]);
  book.allowStale(0);
  await checkAll(stale, ledger, book);
  assert.deepEqual([book.stale, book.wrong.length], [1, 1]);
});
