import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type TestContext, test } from 'node:test';
import { check, counterexamples, lineOf } from '../histories/check.ts';
import { History } from '../histories/record.ts';
import { Line } from './asking.ts';
import { Book } from './book.ts';
import type { Member } from './fleet.ts';
import { lastLook } from './last-look.ts';
import { UserAgent } from './user-agent.ts';
import { assertExplained } from './verdict.ts';

const TICKET = `TICKET_${'0'.repeat(40)}`;
const PASSWORD = ['first', 'secret'] as const;

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

/** A ticket that was logged in, and perhaps out again, with a client that records and counts what it is told of it. */
function ticketThatIs(state: 'live' | 'ending' | 'dead') {
  const [book, history] = [new Book(), new History()];
  const by = { client: 'ann', place: 'A' };
  history.call({ act: 'login', user: 'ada', ...by }).returned('yes', TICKET);
  const logOut = state === 'live' ? undefined : history.call({ act: 'log-out', ticket: TICKET, ...by });
  if (state === 'dead') logOut?.returned('yes');
  return { book, history, agent: new UserAgent(book, history, 'eve') };
}

for (const [state, status] of [
  ['live', 401],
  ['live', 404],
  ['dead', 200],
] as const) {
  test(`a ticket that is ${state} and answered ${status} is a counterexample, told without the ticket`, async (t) => {
    const { book, history } = ticketThatIs(state);
    assert.equal(await lastLook([await member(t, 'A', saying(status))], history, book), 0);
    const counterexample = check(history);
    assert.ok(counterexample);
    assert.doesNotMatch(lineOf(counterexample), /TICKET_/);
  });
}

test('a ticket that is live and answered 200, or dead and answered 401, is none', async (t) => {
  for (const [state, status] of [
    ['live', 200],
    ['dead', 401],
  ] as const) {
    const { book, history } = ticketThatIs(state);
    assert.equal(await lastLook([await member(t, 'A', saying(status))], history, book), 0);
    assert.equal(check(history), undefined);
    assert.deepEqual([book.wrong.length, book.answers], [0, 1]);
  }
});

test('instances that do not agree on a ticket of unknown fate are found', async (t) => {
  const { book, history } = ticketThatIs('ending');
  const members = [await member(t, 'A', saying(200)), await member(t, 'B', saying(401))];
  assert.equal(await lastLook(members, history, book), 0);
  assert.ok(check(history));
});

test('a 503 that says when to come again is put off, one that does not is wrong, and so is a 500', async (t) => {
  const { book, history, agent } = ticketThatIs('live');
  await agent.validate(await member(t, 'A', saying(503, { 'retry-after': '1' })), TICKET);
  assert.deepEqual([book.later, book.wrong.length], [1, 0]);
  await agent.validate(await member(t, 'B', saying(503)), TICKET);
  await agent.validate(await member(t, 'C', saying(500)), TICKET);
  assert.deepEqual([book.later, book.wrong.length], [1, 2]);
  assert.equal(check(history), undefined, 'none of these says anything of the ticket');
});

test('a log-out without an answer may have happened; a login that is refused is a counterexample', async (t) => {
  const { book, history, agent } = ticketThatIs('live');
  const silent = await member(t, 'A', (request) => request.socket.destroy());
  assert.equal(await agent.logOut(silent, TICKET), undefined);
  assert.deepEqual([history.intervals.at(-1)?.answer, book.unanswered], [undefined, 1]);
  assert.equal(await agent.logOut({ ...silent, alive: false }, TICKET), undefined);
  assert.deepEqual([book.unanswered, book.cut], [1, 1]);
  assert.equal(check(history), undefined);
  history.call({ act: 'password', user: 'ada', password: 'first', client: 'a', place: 'A' }).returned('yes');
  await agent.logIn(await member(t, 'B', saying(403)), 'ada', PASSWORD);
  assert.equal(check(history)?.subject, 'logins of ada');
});

test('a wrong answer inside the window of a fail-over is excused, and only there', async (t) => {
  const { book, history } = ticketThatIs('dead');
  const excused = () => [...counterexamples(history)].map(({ isExcused }) => isExcused);
  history.allowStale(60_000);
  const stale = [await member(t, 'A', saying(200))];
  await lastLook(stale, history, book);
  assert.deepEqual(excused(), [true]);
  assertExplained(t, history);
  history.allowStale(0);
  await lastLook(stale, history, book);
  assert.deepEqual(excused(), [false]);
});
