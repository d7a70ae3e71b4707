import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Store } from '../../../src/core/storage/store.ts';
import { changeOf, PASSWORDS } from '../../faults/administrator.ts';
import { Line } from '../../faults/asking.ts';
import { Book } from '../../faults/book.ts';
import type { Member } from '../../faults/fleet.ts';
import { userOf } from '../../faults/load.ts';
import { addUsers } from '../../faults/on-postgres.ts';
import { UserAgent } from '../../faults/user-agent.ts';
import { startTestService } from '../../service/start.ts';
import { type Counterexample, check } from '../check.ts';
import { History } from '../record.ts';
import { FaultyStore } from './faulty-store.ts';

/** What ends or suspends a ticket. */
const REVOCATIONS = ['log-out', 'end-all', 'lock', 'password', 'disable', 'generation'] as const;
type Revocation = (typeof REVOCATIONS)[number];

/** A test on an engine, which `open` opens for one instance more. */
type Body = (t: TestContext, open: () => Promise<Store>) => Promise<void>;

/** A client of two instances, of which B has a faulty store. Each of its runs has a user and a history of its own. */
class Run {
  readonly #a: Member;
  readonly #b: Member;
  readonly store: FaultyStore;
  #users = 0;

  constructor(a: Member, b: Member, store: FaultyStore) {
    this.#a = a;
    this.#b = b;
    this.store = store;
  }

  /**
   * Logs in and validates at B, revokes at A, and validates at B, once more after the store is mended. `before` and `after` are
   * done before and after the revocation. Returns the counterexample, if there is one.
   */
  async revoke(
    revocation: Revocation,
    { before, after }: { readonly before?: () => void; readonly after?: () => Promise<void> },
  ): Promise<Counterexample | undefined> {
    const [book, history] = [new Book(), new History()];
    const agent = new UserAgent(book, history, 'client');
    const user = userOf(this.#users++);
    const login = await agent.logIn(this.#b, user, PASSWORDS[0]);
    const ticket = login?.ticket ?? assert.fail(`no login: ${book.wrong}`);
    assert.equal(await agent.validate(this.#b, ticket), 'yes');
    before?.();
    if (revocation === 'log-out') assert.equal(await agent.logOut(this.#a, ticket), 'yes');
    else assert.ok(await agent.change(this.#a, ...changeOf(revocation, user, 1)), `${book.wrong}`);
    await after?.();
    await agent.validate(this.#b, ticket);
    this.store.mend();
    assert.equal(await agent.validate(this.#b, ticket), after === undefined ? 'no' : 'yes');
    assert.deepEqual(book.wrong, []);
    return check(history);
  }
}

async function begin(t: TestContext, open: () => Promise<Store>): Promise<Run> {
  const [own, below] = [await open(), await open()];
  const store = new FaultyStore(below);
  const a = await startTestService(t, {}, () => own);
  const b = await startTestService(t, {}, () => store);
  await addUsers(own);
  const member = (name: string, { url }: { readonly url: string }): Member => {
    const line = new Line(url);
    t.after(() => line.close());
    return { name, alive: true, line };
  };
  return new Run(member('A', a), member('B', b), store);
}

/** Holds a counterexample to the operations that show the fault. */
function assertFound(found: Counterexample | undefined, revocation: Revocation): void {
  assert.ok(found, `${revocation}: the fault was not found`);
  const acts = found.intervals.map(({ operation }) => operation.act);
  assert.deepEqual(acts, ['login', revocation, 'validate']);
  assert.deepEqual(found.stuck, found.intervals.slice(2));
}

/** The tests of the checker on one engine: it finds each fault that is planted in the store of an instance, and nothing else. */
export function testsOfPlantedFaults(test: (name: string, body: Body) => void): void {
  test('a cache that is told of a revocation after its answer is found', async (t, open) => {
    const run = await begin(t, open);
    for (const revocation of REVOCATIONS) {
      assert.equal(await run.revoke(revocation, {}), undefined, revocation);
      const found = await run.revoke(revocation, { before: () => run.store.tellLate() });
      assertFound(found, revocation);
    }
  });

  test('a read that answers from memory while the engine is out of reach is found', async (t, open) => {
    const run = await begin(t, open);
    for (const revocation of REVOCATIONS) {
      const closed = await run.revoke(revocation, { before: () => run.store.cutOff({ failsOpen: false }) });
      assert.equal(closed, undefined, revocation);
      const found = await run.revoke(revocation, { before: () => run.store.cutOff({ failsOpen: true }) });
      assertFound(found, revocation);
    }
  });

  test('a write of a ticket that is tried again after its log-out is found', async (t, open) => {
    const run = await begin(t, open);
    assert.equal(await run.revoke('log-out', {}), undefined);
    assertFound(await run.revoke('log-out', { after: () => run.store.retryIssue() }), 'log-out');
  });
}
