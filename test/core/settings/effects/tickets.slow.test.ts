import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { serve } from '../../../crash/serve.ts';
import { Redis, whyNoRedis } from '../../../service/redis.ts';
import { PASSWORD, temporaryFolder } from '../../../service/start.ts';
import { until } from '../../../service/until.ts';

const skip = whyNoRedis() ?? false;

async function start(t: TestContext, ...settings: string[]): Promise<Redis> {
  const redis = await Redis.start(...settings);
  t.after(() => redis.remove());
  return redis;
}

/** The status of a login. */
async function logIn(url: string): Promise<number> {
  const body = JSON.stringify({ username: 'admin', password: PASSWORD });
  return (await fetch(`${url}/api/login`, { method: 'POST', body })).status;
}

test('TESSERA_TICKETS is reached with TESSERA_TICKETS_PASSWORD, given as it is or in a file', {
  skip,
}, async (t) => {
  const redis = await start(t);
  await redis.ask(['CONFIG', 'SET', 'requirepass', 'right']);
  const data = await temporaryFolder(t);
  const file = join(data, 'password');
  writeFileSync(file, 'right\n');
  const settings = { TESSERA_TICKETS: redis.url };
  for (const password of [{ TESSERA_TICKETS_PASSWORD: 'right' }, { TESSERA_TICKETS_PASSWORD_FILE: file }]) {
    const service = serve(t, data, { ...settings, ...password });
    assert.equal(await logIn(await service.url), 200);
    service.kill('SIGTERM');
    await service.ended;
  }
  const wrong = await serve(t, data, { ...settings, TESSERA_TICKETS_PASSWORD: 'wrong-one' }).ended;
  assert.match(wrong.said, /refuses the user or the password/);
  assert.ok(!wrong.said.includes('wrong-one'));
});

test('a password that was changed at Redis and in its file is the one of the next connection', {
  skip,
}, async (t) => {
  const redis = await start(t);
  await redis.ask(['ACL', 'SETUSER', 'tessera', 'on', '>right', '~*', '+@all']);
  const data = await temporaryFolder(t);
  const file = join(data, 'password');
  writeFileSync(file, 'right\n');
  const { url } = serve(t, data, {
    TESSERA_TICKETS: redis.url.replace('//', '//tessera@'),
    TESSERA_TICKETS_PASSWORD_FILE: file,
  });
  assert.equal(await logIn(await url), 200);
  await redis.ask(['ACL', 'SETUSER', 'tessera', '>changed']);
  writeFileSync(file, 'changed\n');
  await redis.ask(['ACL', 'SETUSER', 'tessera', '<right']);
  await redis.ask(['CLIENT', 'KILL', 'USER', 'tessera']);
  await until('somebody logs in', async () => (await logIn(await url)) === 200);
});

test('a login waits for TESSERA_TICKETS_REPLICAS, for as long as TESSERA_TICKETS_REPLICA_DEADLINE', {
  skip,
}, async (t) => {
  const serving = async (settings: Record<string, string>) => {
    const redis = await start(t);
    const replica = await start(t, '--replicaof', '127.0.0.1', String(redis.port));
    await until('the replica is there', async () =>
      (await redis.ask(['INFO', 'replication'])).includes('state=online'),
    );
    const service = serve(t, await temporaryFolder(t), { TESSERA_TICKETS: redis.url, ...settings });
    return { url: await service.url, replica };
  };
  const alone = await serving({ TESSERA_TICKETS_REPLICAS: '0' });
  const hasty = await serving({});
  const patient = await serving({ TESSERA_TICKETS_REPLICA_DEADLINE: 'PT1M' });
  for (const { replica } of [alone, hasty, patient]) replica.freeze();
  assert.equal(await logIn(alone.url), 200);
  const waiting = logIn(patient.url);
  // Twice the deadline of the hasty one, by which the patient one would have given up as well.
  for (let time = 0; time < 2; time += 1) assert.equal(await logIn(hasty.url), 503);
  patient.replica.thaw();
  assert.equal(await waiting, 200);
});

/** Logs in, and returns what validates the ticket. */
async function validationAt(url: string): Promise<() => Promise<void>> {
  const body = JSON.stringify({ username: 'admin', password: PASSWORD });
  const answered = await (await fetch(`${url}/api/login`, { method: 'POST', body })).text();
  const [ticket] = /TICKET_[0-9a-f]{40}/.exec(answered) ?? [];
  return async () => {
    const answer = await fetch(`${url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`);
    assert.equal(answer.status, 200);
    await answer.text();
  };
}

/** How often Redis was asked what was revoked. */
const questionsTo = async (redis: Redis) =>
  Number(/cmdstat_exists:calls=(\d+)/.exec(await redis.ask(['INFO', 'commandstats']))?.[1] ?? 0);

test('validations wait for TESSERA_VALIDATION_WAIT, and share one question to Redis meanwhile', {
  skip,
}, async (t) => {
  const redis = await start(t);
  const service = serve(t, await temporaryFolder(t), {
    TESSERA_TICKETS: redis.url,
    TESSERA_VALIDATION_WAIT: 'PT0.2S',
  });
  const validate = await validationAt(await service.url);
  const questions = () => questionsTo(redis);
  await until('the ticket is in memory', async () => {
    await validate();
    return (await questions()) > 0;
  });
  const before = performance.now();
  await validate();
  // A timer may fire a part of a millisecond early.
  assert.ok(performance.now() - before >= 199);
});

test('with TESSERA_CACHE=0 nothing that was read is kept, and otherwise some tickets are', {
  skip,
}, async (t) => {
  for (const cache of ['0', '10']) {
    const redis = await start(t);
    const settings = { TESSERA_TICKETS: redis.url, TESSERA_CACHE: cache };
    const validate = await validationAt(await serve(t, await temporaryFolder(t), settings).url);
    await until('changes of tickets that are read will be told', async () => {
      await validate();
      return (await redis.ask(['INFO', 'clients'])).includes('tracking_clients:1');
    });
    for (let times = 0; times < 3; times += 1) await validate();
    assert.equal((await questionsTo(redis)) > 0, cache !== '0', `TESSERA_CACHE=${cache}`);
  }
});
