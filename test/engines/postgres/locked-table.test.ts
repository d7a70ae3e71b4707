import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { freePort } from '../../service/free-port.ts';
import { type Postgres, testsOnPostgres } from '../../service/postgres.ts';
import { PASSWORD, startTestService } from '../../service/start.ts';
import { openPostgres } from '../../service/stores.ts';
import { type Answered, ask, logIn } from '../../service/talk.ts';
import { until } from '../../service/until.ts';
import { hold } from './held.ts';

const test = await testsOnPostgres();

/** Milliseconds within which every request is answered. */
const ANSWERED_WITHIN = 10_000;
/** Milliseconds within which the readiness is told. It may be 2 s, and the rest is for a busy machine. */
const READY_WITHIN = 3_500;
/** Milliseconds by which a validation is answered that waits for no lock: far less than any deadline of the store. */
const AT_ONCE = 2_000;

interface Timed {
  readonly status: number;
  /** Milliseconds from the request to its answer. */
  readonly after: number;
}

async function timed(answer: Promise<Pick<Answered, 'status'>>): Promise<Timed> {
  const start = performance.now();
  const { status } = await answer;
  return { status, after: performance.now() - start };
}

/** A service on PostgreSQL with a live ticket, and what asks it. */
async function startOn(t: TestContext, server: Postgres) {
  const database = await server.freshSchema();
  const store = await openPostgres(database);
  const port = String(await freePort());
  const { url, metricsUrl } = await startTestService(t, { TESSERA_METRICS_PORT: port }, () => store);
  const ticket = await logIn(url);
  const login = { method: 'POST', body: JSON.stringify({ username: 'admin', password: PASSWORD }) };
  return {
    database,
    logIns: (count: number) =>
      Array.from({ length: count }, () => timed(ask(`${url}/alfresco/s/api/login`, login))),
    validate: () => timed(ask(`${url}/alfresco/s/api/login/ticket/${ticket}?alf_ticket=${ticket}`)),
    askReady: () => timed(fetch(`${metricsUrl}/health/ready`)),
  };
}

/** Waits until a statement waits for a lock. */
const waiting = (server: Postgres) =>
  until('a statement waits for a lock', async () => {
    const rows = await server.ask("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
    return rows.length > 0;
  });

test('while the users are locked, each of many requests at once is answered in time, and so is the readiness', async (t, server) => {
  const { database, logIns, validate, askReady } = await startOn(t, server);
  const letGo = await hold(t, database, 'users');
  const asked = [...logIns(20), validate()];
  await waiting(server);
  const ready = await askReady();
  assert.ok(ready.after < READY_WITHIN, `the readiness was told after ${ready.after} ms`);
  for (const { status, after } of await Promise.all(asked)) {
    assert.equal(status, 503);
    assert.ok(after < ANSWERED_WITHIN, `answered after ${after} ms`);
  }
  await letGo();
  assert.equal((await validate()).status, 200);
  assert.deepEqual(
    (await Promise.all(logIns(3))).map(({ status }) => status),
    [200, 200, 200],
  );
});

test('while the counters of logins are locked, validations and the readiness are answered at once', async (t, server) => {
  const { database, logIns, validate, askReady } = await startOn(t, server);
  await hold(t, database, 'attempts');
  const asked = logIns(20);
  await waiting(server);
  for (const { status, after } of [await validate(), await askReady(), await validate()]) {
    assert.equal(status, 200);
    assert.ok(after < AT_ONCE, `answered after ${after} ms`);
  }
  for (const { status, after } of await Promise.all(asked)) {
    assert.equal(status, 503);
    assert.ok(after < ANSWERED_WITHIN, `answered after ${after} ms`);
  }
});

test('while the tickets are locked, each of many logins at once is answered in time', async (t, server) => {
  const { database, logIns } = await startOn(t, server);
  await hold(t, database, 'tickets');
  for (const { status, after } of await Promise.all(logIns(20))) {
    assert.equal(status, 503);
    assert.ok(after < ANSWERED_WITHIN, `answered after ${after} ms`);
  }
});
