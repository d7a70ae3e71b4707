import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { newClientSecret } from '../../src/core/identity/client-secret.ts';
import { databaseIn } from '../../src/engines/sqlite/data-folder.ts';
import { temporaryFolder } from '../service/start.ts';
import { openSqlite } from '../service/stores.ts';
import { basic, logIn } from '../service/talk.ts';
import { broken, emptyLedger, type Ledger, logInAndOut } from './ledger.ts';
import { type Serving, serve } from './serve.ts';

const ROUNDS = 20;
const CLIENTS = 8;
const { secret, digest } = newClientSecret();
const CLIENT = basic(`gateway:${secret}`);

/** Loads the service until it is killed: after so many answers, right when the last of them came, or after so long. */
async function loadUntilKilled(
  service: Serving,
  ledger: Ledger,
  answers: number,
  time: number,
): Promise<void> {
  let killed = false;
  const kill = () => {
    killed = true;
    service.kill('SIGKILL');
  };
  let left = answers;
  const answered = () => {
    left -= 1;
    if (left === 0) kill();
  };
  const url = await service.url;
  const load = { url, ledger, client: CLIENT, killed: () => killed, answered };
  const clients = Array.from({ length: CLIENTS }, () => logInAndOut(load));
  if (Number.isFinite(time)) void pause(time).then(kill);
  await Promise.all(clients);
  assert.equal((await service.ended).signal, 'SIGKILL');
}

function integrityOf(data: string): unknown {
  const db = new DatabaseSync(databaseIn(data), { readOnly: true });
  try {
    return db.prepare('PRAGMA integrity_check').get()?.integrity_check;
  } finally {
    db.close();
  }
}

/** Starts the service on what the last one left, and holds it to what was acknowledged. */
async function restarted(t: TestContext, data: string, ledger: Ledger, when: string): Promise<Serving> {
  const service = serve(t, data);
  assert.deepEqual(await broken(await service.url, ledger), [], when);
  return service;
}

/** A data folder with a registered client. */
async function folderWithClient(t: TestContext): Promise<string> {
  const data = await temporaryFolder(t);
  const store = openSqlite(data);
  await store.write((unit) => unit.clients.add({ name: 'gateway', secretDigest: digest, addedAt: 0 }));
  await store.close();
  return data;
}

test('whatever was acknowledged before a kill -9 holds after it: tickets live, and logouts and revocations are for good', async (t) => {
  const data = await folderWithClient(t);
  const whole = emptyLedger();
  let ledger = emptyLedger();
  for (let round = 0; round < ROUNDS; round++) {
    const service = await restarted(t, data, ledger, `after round ${round}`);
    ledger = emptyLedger();
    const byCount = round % 2 === 0;
    const [answers, time] = byCount ? [randomInt(1, 200), Number.POSITIVE_INFINITY] : [-1, randomInt(0, 300)];
    await loadUntilKilled(service, ledger, answers, time);
    for (const ticket of ledger.live) whole.live.add(ticket);
    for (const ticket of ledger.dead) whole.dead.add(ticket);
  }
  await restarted(t, data, whole, 'after all rounds');
  assert.equal(integrityOf(data), 'ok');
  t.diagnostic(`${whole.live.size} tickets and ${whole.dead.size} logouts or revocations were acknowledged`);
  assert.ok(whole.live.size > ROUNDS && whole.dead.size > ROUNDS, 'the load was too small to tell anything');
});

test('a service killed at any moment of its first start starts the next time', async (t) => {
  for (let round = 0; round < 5; round++) {
    const data = await temporaryFolder(t);
    const first = serve(t, data);
    await Promise.race([pause(randomInt(100, 700)), first.url]);
    first.kill('SIGKILL');
    await first.ended;
    const second = serve(t, data);
    await logIn(await second.url);
    second.kill('SIGKILL');
    await second.ended;
  }
});
