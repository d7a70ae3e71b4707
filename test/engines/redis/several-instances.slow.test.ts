import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test as plainTest, type TestContext } from 'node:test';
import { newGroup } from '../../../src/core/domain/group.ts';
import type { UserChange } from '../../../src/core/storage/store.ts';
import { openRedis } from '../../../src/engines/redis/open.ts';
import { Postgres, whyNoPostgres } from '../../service/postgres.ts';
import { whyNoRedis } from '../../service/redis.ts';
import { RedisCluster } from '../../service/redis-cluster.ts';
import { startTestService, type TestService, temporaryFolder } from '../../service/start.ts';
import { openPostgres } from '../../service/stores.ts';
import { ask, logIn } from '../../service/talk.ts';
import { LIFETIME, PATIENT } from './opened.ts';

type Body = (t: TestContext, instances: readonly [TestService, TestService, TestService]) => Promise<void>;

const why = whyNoRedis() ?? whyNoPostgres();
const engines = why === undefined ? await start() : undefined;

async function start() {
  const cluster = await RedisCluster.start();
  after(() => cluster.remove());
  const server = await Postgres.start();
  after(() => server.remove());
  return { cluster, server };
}

/** A test on three instances that share a PostgreSQL and a Redis Cluster. */
function test(name: string, body: Body, env: Record<string, string> = {}): void {
  plainTest(name, async (t) => {
    if (engines === undefined) return t.skip(why);
    await engines.cluster.flush();
    const database = await engines.server.freshSchema();
    const key = join(await temporaryFolder(t), 'throttle-key');
    const begin = async () => {
      const below = await openPostgres(database);
      const manner = { store: below, lifetime: LIFETIME, clock: below.clock };
      const store = await openRedis(engines.cluster.url, manner, PATIENT);
      return startTestService(t, { TESSERA_THROTTLE_KEY_FILE: key, ...env }, () => store);
    };
    await body(t, [await begin(), await begin(), await begin()]);
  });
}

async function validate({ url }: TestService, ticket: string): Promise<number> {
  return (await ask(`${url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`)).status;
}

const everywhere = (instances: readonly TestService[], ticket: string) =>
  Promise.all(instances.map((instance) => validate(instance, ticket)));

test('a ticket from one instance is good on the others, and dead on all once one has ended it', async (_, instances) => {
  const [a, , c] = instances;
  await a.addUser('ada');
  for (let round = 0; round < 10; round++) {
    const ticket = await logIn(a.url, 'ada');
    assert.deepEqual(await everywhere(instances, ticket), [200, 200, 200]);
    const ended = await ask(`${c.url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`, { method: 'DELETE' });
    assert.equal(ended.status, 200);
    assert.deepEqual(await everywhere(instances, ticket), [401, 401, 401]);
  }
});

const CHANGES: Record<string, { change: UserChange; back?: UserChange }> = {
  'disabling a user': { change: { disabled: true }, back: { disabled: false } },
  'locking a user out': { change: { lockedUntil: 8_640_000_000_000_000 }, back: { lockedUntil: 0 } },
  'raising a user’s generation': { change: { generation: 1 } },
};

for (const [what, { change, back }] of Object.entries(CHANGES)) {
  test(`${what} holds on every instance for the next request`, async (_, instances) => {
    const [a, b] = instances;
    await a.addUser('ada');
    const [ticket, others] = [await logIn(a.url, 'ada'), await logIn(b.url)];
    assert.deepEqual(await everywhere(instances, ticket), [200, 200, 200]);
    const user = await b.store.read((unit) => unit.users.findByKey('ada'));
    assert.ok(user);
    await b.store.write((unit) => unit.users.change(user.id, change));
    assert.deepEqual(await everywhere(instances, ticket), [401, 401, 401]);
    assert.deepEqual(await everywhere(instances, others), [200, 200, 200]);
    if (back === undefined) return;
    await a.store.write((unit) => unit.users.change(user.id, back));
    assert.deepEqual(await everywhere(instances, ticket), [200, 200, 200]);
  });
}

test('removing a user and revoking every ticket hold on every instance for the next request', async (_, instances) => {
  const [a, b, c] = instances;
  await a.addUser('ada');
  const [ticket, others] = [await logIn(a.url, 'ada'), await logIn(b.url)];
  const user = await b.store.read((unit) => unit.users.findByKey('ada'));
  assert.ok(user);
  await b.store.write((unit) => unit.users.remove(user.id));
  assert.deepEqual(await everywhere(instances, ticket), [401, 401, 401]);
  assert.deepEqual(await everywhere(instances, others), [200, 200, 200]);
  await c.store.write((unit) => unit.tickets.raiseServerGeneration());
  assert.deepEqual(await everywhere(instances, others), [401, 401, 401]);
  assert.deepEqual(await everywhere(instances, await logIn(c.url)), [200, 200, 200]);
});

test('a membership that is given or taken away holds on every instance for the next request', async (_, instances) => {
  const [a, b, c] = instances;
  await a.addUser('ada');
  const ticket = await logIn(a.url, 'ada');
  const path = `/alfresco/api/-default-/public/alfresco/versions/1/people/-me-/groups?alf_ticket=${ticket}`;
  const groupsAt = async ({ url }: TestService) =>
    JSON.parse((await ask(url + path)).text).list.pagination.totalItems - 1;
  const everybody = () => Promise.all(instances.map(groupsAt));
  const ada = (await b.store.read((unit) => unit.users.findByKey('ada')))?.id ?? 0;
  const [staff, all] = await b.store.write(async ({ groups }) => {
    const added = [await groups.add(newGroup('staff')), await groups.add(newGroup('all'))];
    return added.map((group) => group?.id ?? 0) as [number, number];
  });
  assert.deepEqual(await everybody(), [0, 0, 0]);
  for (let round = 0; round < 5; round++) {
    await b.store.write(({ groups }) => groups.addUser(staff, ada));
    assert.deepEqual(await everybody(), [1, 1, 1]);
    await c.store.write(({ groups }) => groups.addGroup(all, staff));
    assert.deepEqual(await everybody(), [2, 2, 2]);
    await a.store.write(({ groups }) => groups.removeGroup(all, staff));
    assert.deepEqual(await everybody(), [1, 1, 1]);
    await b.store.write(({ groups }) => groups.removeUser(staff, ada));
    assert.deepEqual(await everybody(), [0, 0, 0]);
  }
});

test(
  'failures are counted together, none twice and none not at all',
  async (_, instances) => {
    const [a] = instances;
    await a.addUser('ada');
    const guess = ({ url }: TestService) =>
      ask(`${url}/api/login`, {
        method: 'POST',
        body: JSON.stringify({ username: 'ada', password: 'wrong' }),
      });
    for (let round = 0; round < 4; round++) await Promise.all(instances.map(guess));
    const user = await a.store.read((unit) => unit.users.findByKey('ada'));
    assert.equal(user?.lockedUntil, 0);
    const failed = await a.store.read((unit) => unit.events.list({ user: 'ada' }));
    assert.equal(
      failed.filter(({ kind, reason }) => kind === 'login-refused' && reason === 'wrong-password').length,
      12,
    );
    await guess(a);
    const locked = await a.store.read((unit) => unit.users.findByKey('ada'));
    assert.ok((locked?.lockedUntil ?? 0) > Date.now());
  },
  { TESSERA_THROTTLE_AFTER: '0', TESSERA_LOCKOUT_THRESHOLD: '13' },
);

test(
  'a limit of tickets is kept by instances that log one user in together',
  async (_, instances) => {
    const [a] = instances;
    await a.addUser('ada');
    const tickets = await Promise.all(
      Array.from({ length: 12 }, (__, n) => logIn((instances[n % 3] as TestService).url, 'ada')),
    );
    const states = await Promise.all(tickets.map((ticket) => validate(a, ticket)));
    assert.equal(states.filter((status) => status === 200).length, 3);
    const user = await a.store.read((unit) => unit.users.findByKey('ada'));
    assert.equal((await a.store.read((unit) => unit.tickets.listOf(user?.id ?? 0))).length, 3);
  },
  { TESSERA_TICKETS_PER_USER: '3' },
);
