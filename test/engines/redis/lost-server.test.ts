import assert from 'node:assert/strict';
import { StoreUnavailable } from '../../../src/core/storage/store.ts';
import { aDigest, addUser, aTicket, issue } from '../../core/storage/conformance/samples.ts';
import { afterwards } from '../../service/afterwards.ts';
import { freePort } from '../../service/free-port.ts';
import { Redis, testsOnRedis } from '../../service/redis.ts';
import { startTestService } from '../../service/start.ts';
import { ask, logIn } from '../../service/talk.ts';
import { until } from '../../service/until.ts';
import { openUntilEnd } from './opened.ts';

const test = await testsOnRedis();

test('while Redis is down every ticket and login is 503, and afterwards all is as it was', async (t) => {
  const redis = await Redis.start();
  t.after(() => redis.remove());
  const store = await openUntilEnd(t, redis.url, { options: {} });
  const service = await startTestService(t, { TESSERA_METRICS_PORT: String(await freePort()) }, () => store);
  const ticket = await logIn(service.url);
  const validate = async () =>
    (await ask(`${service.url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`)).status;
  assert.equal(await validate(), 200);
  await redis.kill();
  for (let round = 0; round < 5; round++) assert.equal(await validate(), 503);
  const login = await ask(`${service.url}/api/login`, {
    method: 'POST',
    body: '{"username":"admin","password":"x"}',
  });
  assert.equal(login.status, 503);
  assert.ok(login.headers.get('retry-after'));
  const ready = await ask(`${service.metricsUrl}/health/ready`);
  assert.equal(ready.status, 503);
  await redis.resume();
  await until('tickets are good again', async () => (await validate()) === 200);
});

test('a server that keeps its connections open and does not answer is given up after the deadline', async (t, redis) => {
  const store = await openUntilEnd(t, redis.url, { options: { commandDeadline: 500, replicas: 0 } });
  const ada = await addUser(store, 'ada');
  await until('a ticket is kept', async () => {
    await issue(store, aTicket(1, ada, { issuedAt: Date.now(), usedAt: Date.now() }));
    return true;
  });
  const find = () => store.read((unit) => unit.tickets.find(aDigest(1)));
  redis.freeze();
  afterwards(t, () => redis.thaw());
  const finds = await Promise.allSettled(Array.from({ length: 100 }, find));
  assert.ok(
    finds.every((outcome) => outcome.status === 'rejected' && outcome.reason instanceof StoreUnavailable),
  );
  await assert.rejects(
    store.write((unit) => unit.tickets.end(aDigest(1))),
    StoreUnavailable,
  );
  redis.thaw();
  await until('the ticket is found again', async () => (await find()) !== undefined);
});

test('while a server answers nobody, those who would write over SQLite are told so within seconds', async (t, redis) => {
  const store = await openUntilEnd(t, redis.url, { options: { replicas: 0 } });
  const ada = await addUser(store, 'ada');
  redis.freeze();
  afterwards(t, () => redis.thaw());
  const issued = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) => issue(store, aTicket(n, ada))),
  );
  const faults = issued.map((outcome) => (outcome.status === 'rejected' ? outcome.reason : undefined));
  for (const fault of faults) assert.ok(fault instanceof StoreUnavailable);
  // Each unit waited for the server in its turn.
  const late = faults.filter(({ message }) => /connection for writing was taken for/.test(message));
  assert.ok(late.length >= 10, `${late.length} of 20`);
});

test('a write that no replica acknowledges fails while there is a replica that could', async (t, redis) => {
  const replica = await Redis.start('--replicaof', `127.0.0.1 ${redis.port}`);
  t.after(() => replica.remove());
  await until('the replica is in step', async () =>
    (await redis.ask(['INFO', 'replication'])).includes('state=online'),
  );
  const store = await openUntilEnd(t, redis.url, {
    options: { replicaDeadline: 300, commandDeadline: 5_000 },
  });
  const ada = await addUser(store, 'ada');
  const kept = (n: number) => aTicket(n, ada, { issuedAt: Date.now(), usedAt: Date.now() });
  await until('a ticket is kept', async () => {
    await issue(store, kept(1));
    return true;
  });
  replica.freeze();
  await assert.rejects(issue(store, kept(2)), /too few Redis replicas/);
  assert.equal(await store.read((unit) => unit.tickets.find(aDigest(2))), undefined);
  await replica.kill();
  await until('the master is known to be alone', async () => {
    await issue(store, kept(3));
    return true;
  });
  assert.ok(await store.read((unit) => unit.tickets.find(aDigest(3))));
});
