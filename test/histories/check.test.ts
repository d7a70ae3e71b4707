import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, counterexamples, lineOf } from './check.ts';
import { pictureOf } from './picture.ts';
import { type Answer, type Call, History, type Operation } from './record.ts';

const TICKET = `TICKET_${'0'.repeat(40)}`;
const OTHER = `TICKET_${'1'.repeat(40)}`;

/** A history whose clock counts milliseconds by itself. */
class Told extends History {
  constructor() {
    let now = 0;
    super(() => now++);
  }

  begins(operation: Operation, client = 'ann'): Call {
    return this.call({ ...operation, client, place: 'A' });
  }

  did(operation: Operation, answer: Answer = 'yes', ticket?: string): this {
    this.begins(operation).returned(answer, ticket);
    return this;
  }

  loggedIn(user = 'ada', ticket = TICKET, password = 'first'): this {
    return this.did({ act: 'login', user, password }, 'yes', ticket);
  }

  validated(answer: Answer, ticket = TICKET): this {
    return this.did({ act: 'validate', ticket }, answer);
  }

  loggedOut(answer: Answer = 'yes'): this {
    return this.did({ act: 'log-out', ticket: TICKET }, answer);
  }
}

const holds = (history: History) => check(history) === undefined;

test('a ticket that is issued, validated, ended and then refused has an order', () => {
  assert.ok(holds(new Told().loggedIn().validated('yes').loggedOut().validated('no')));
});

test('a yes after an answered log-out, a no before one, and a yes for an unissued ticket have none', () => {
  assert.ok(!holds(new Told().loggedIn().loggedOut().validated('yes')));
  assert.ok(!holds(new Told().loggedIn().validated('no')));
  assert.ok(!holds(new Told().loggedIn().loggedOut('no').loggedOut()));
  assert.ok(!holds(new Told().validated('yes')));
  assert.ok(holds(new Told().validated('no')));
});

test('a validation that overlaps a log-out may have either answer, and none that comes later', () => {
  for (const answer of ['yes', 'no'] as const) {
    const history = new Told().loggedIn();
    const validation = history.begins({ act: 'validate', ticket: TICKET });
    history.loggedOut();
    validation.returned(answer);
    assert.ok(holds(history));
    assert.ok(!holds(history.validated('yes')));
  }
});

test('of two log-outs that overlap both may succeed, of two that do not only the first', () => {
  const history = new Told().loggedIn();
  const logOut = history.begins({ act: 'log-out', ticket: TICKET });
  history.loggedOut();
  logOut.returned('yes');
  assert.ok(holds(history));
  assert.ok(!holds(history.loggedOut()));
});

test('a log-out without an answer may happen at any later time, but its ticket never comes back', () => {
  const history = new Told().loggedIn();
  history.begins({ act: 'log-out', ticket: TICKET });
  assert.ok(holds(history.validated('yes').validated('yes').validated('no').validated('no')));
  assert.ok(!holds(history.validated('yes')));
});

const ENDS: readonly Operation[] = [
  { act: 'end-all', user: 'ada' },
  { act: 'disable', user: 'ada' },
  { act: 'remove', user: 'ada' },
  { act: 'password', user: 'ada', password: 'second' },
  { act: 'generation' },
  { act: 'expire', ticket: TICKET },
];

for (const operation of ENDS)
  test(`after ${operation.act} a ticket is dead, if it was answered or if a ticket was seen dead`, () => {
    assert.ok(holds(new Told().loggedIn().did(operation).validated('no')));
    assert.ok(!holds(new Told().loggedIn().did(operation).validated('yes')));
    assert.ok(!holds(new Told().loggedIn().did(operation, 'no').validated('no')));
    const unanswered = new Told().loggedIn();
    unanswered.begins(operation);
    assert.ok(holds(unanswered.validated('yes').validated('no')));
    assert.ok(!holds(unanswered.validated('yes')));
  });

test('what ends the tickets of one user leaves those of others alone, and a new ticket', () => {
  const history = new Told().loggedIn('ada').loggedIn('bob', OTHER).did({ act: 'end-all', user: 'ada' });
  assert.ok(holds(history.validated('yes', OTHER)));
  assert.ok(!holds(history.validated('no', OTHER)));
  assert.ok(holds(new Told().did({ act: 'generation' }).loggedIn().validated('yes')));
});

test('the ticket by which a user changes the password lives on, the others do not', () => {
  const change = { act: 'password', user: 'ada', password: 'second', keeps: TICKET } as const;
  const history = new Told().loggedIn().loggedIn('ada', OTHER).did(change);
  assert.ok(holds(history.validated('yes').validated('no', OTHER)));
  assert.ok(!holds(history.validated('yes', OTHER)));
});

test('enabling a user revives no ticket; a lock suspends one', () => {
  const did = (...acts: ('disable' | 'enable' | 'lock' | 'unlock')[]) =>
    acts.reduce((history, act) => history.did({ act, user: 'ada' }), new Told().loggedIn());
  assert.ok(holds(did('disable', 'enable').validated('no')));
  assert.ok(!holds(did('disable', 'enable').validated('yes')));
  assert.ok(holds(did('enable').validated('yes')));
  assert.ok(holds(did('lock').validated('no')));
  assert.ok(!holds(did('lock').validated('yes')));
  assert.ok(holds(did('lock', 'unlock').validated('yes')));
  assert.ok(!holds(did('lock', 'unlock').validated('no')));
  assert.ok(!holds(did('lock', 'disable', 'enable', 'unlock').validated('yes')));
});

test('nobody logs in who is disabled, locked or removed, or with a password that was replaced', () => {
  for (const act of ['disable', 'lock', 'remove'] as const) {
    assert.ok(!holds(new Told().did({ act, user: 'ada' }).loggedIn()));
    assert.ok(holds(new Told().did({ act, user: 'ada' }).did({ act: 'login', user: 'ada' }, 'no')));
  }
  const replaced = () => new Told().loggedIn().did({ act: 'password', user: 'ada', password: 'second' });
  const logIn = (password: string) => ({ act: 'login', user: 'ada', password }) as const;
  assert.ok(!holds(replaced().did(logIn('first'), 'yes', OTHER)));
  assert.ok(holds(replaced().did(logIn('first'), 'no').did(logIn('second'), 'yes', OTHER)));
  assert.ok(!holds(replaced().did(logIn('second'), 'no')));
});

test('a login that overlaps the lock of its user came first, so its ticket is suspended', () => {
  const history = new Told();
  const lock = history.begins({ act: 'lock', user: 'ada' });
  history.loggedIn();
  lock.returned('yes');
  assert.ok(holds(history.validated('no')));
  assert.ok(!holds(history.validated('yes')));
});

test('a lock that overlaps a login may have come before an unlock that did not', () => {
  const history = new Told();
  const lock = history.begins({ act: 'lock', user: 'ada' });
  history.did({ act: 'unlock', user: 'ada' });
  const login = history.begins({ act: 'login', user: 'ada' });
  lock.returned('yes');
  login.returned('yes', TICKET);
  assert.ok(holds(history.validated('yes')));
});

test('what is seen while it may be stale is excused, and what is acknowledged is not', () => {
  const excused = (history: History) => [...counterexamples(history)].map(({ isExcused }) => isExcused);
  const history = new Told().loggedIn().loggedOut();
  history.allowStale(10);
  assert.deepEqual(excused(history.validated('yes')), [true]);
  history.allowStale(0);
  assert.deepEqual(excused(history.validated('yes')), [false]);
});

/** A ticket that is seen alive after its log-out, among much else. */
function revived(): Told {
  const history = new Told().did({ act: 'end-all', user: 'ada' }).loggedIn();
  for (let n = 0; n < 50; n++) history.validated('yes').did({ act: 'lock', user: 'bob' });
  history.did({ act: 'lock', user: 'ada' }).did({ act: 'unlock', user: 'ada' }).loggedOut();
  for (let n = 0; n < 50; n++) history.validated('no');
  const late = history.begins({ act: 'validate', ticket: TICKET }, 'eve');
  history.validated('no');
  late.returned('yes');
  return history.did({ act: 'end-all', user: 'ada' }).validated('no');
}

test('a counterexample has the operations that matter alone, in one line without the ticket', () => {
  const counterexample = check(revived());
  assert.ok(counterexample);
  const { intervals, order, stuck } = counterexample;
  const acts = ['login', 'log-out', 'validate'];
  assert.deepEqual(
    intervals.map(({ operation }) => operation.act),
    acts,
  );
  assert.deepEqual(stuck, intervals.slice(2));
  assert.deepEqual([...new Set(order)], intervals.slice(0, 2));
  const line = lineOf(counterexample);
  assert.match(line, /^no order explains ticket [0-9a-f]{8} of ada: ann: login at A → yes \[0\.0 ms – /);
  assert.match(line, /; eve: validate at A → yes \[[\d.]+ ms – [\d.]+ ms\] \(impossible\)$/);
  assert.doesNotMatch(line, /TICKET_/);
});

test('a counterexample has a change that overlaps it or was not answered, if it explains a part', () => {
  const acts = (history: History) => check(history)?.intervals.map(({ operation }) => operation.act);
  const history = new Told().loggedIn().loggedOut();
  history.begins({ act: 'disable', user: 'ada' });
  const endAll = history.begins({ act: 'end-all', user: 'ada' });
  history.validated('yes');
  endAll.returned('yes');
  assert.deepEqual(acts(history), ['login', 'log-out', 'validate']);
  const unanswered = new Told().loggedIn();
  unanswered.begins({ act: 'log-out', ticket: TICKET });
  unanswered.validated('no').validated('yes');
  assert.deepEqual(acts(unanswered), ['login', 'log-out', 'validate', 'validate']);
});

test('its picture has a lane for each client, a bar for each operation and no ticket', () => {
  const history = revived();
  history.begins({ act: 'log-out', ticket: TICKET }, '<"&>');
  const counterexample = check(history);
  assert.ok(counterexample);
  const intervals = [...counterexample.intervals, history.intervals.at(-1) as never];
  const picture = pictureOf({ ...counterexample, intervals });
  assert.match(picture, /^<svg [^>]*>/);
  assert.equal(picture.match(/<rect class="stuck"/g)?.length, 1);
  assert.equal(picture.match(/<rect class="open"/g)?.length, 1);
  assert.equal(picture.match(/<rect class=/g)?.length, 4);
  assert.match(picture, />1\. login at A → yes</);
  assert.match(picture, />&#60;&#34;&#38;&#62;</);
  assert.doesNotMatch(picture, /TICKET_|NaN|Infinity|undefined/);
});

test('an operation returns once', () => {
  const call = new Told().begins({ act: 'generation' });
  call.returned('yes');
  assert.throws(() => call.returned('yes'), /generation has returned already/);
});
