import assert from 'node:assert/strict';
import type { Store, WriteUnit } from '../../../src/core/storage/store.ts';
import { addUser, append, aUser, contents, NOW } from '../../core/storage/conformance/samples.ts';
import { testsOnOwnPostgres } from '../../service/postgres.ts';
import { openUntilEnd } from './opened.ts';

const test = await testsOnOwnPostgres('deadlock_timeout = 50ms');

/** Makes the next inserts into events fail as in a conflict, a number of times. */
const losing = (times: number, state: string) => `
  CREATE SEQUENCE tries;
  CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF nextval('tries') <= ${times} THEN RAISE EXCEPTION 'lost' USING ERRCODE = '${state}'; END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER lose BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION lose()`;

test('units that deadlock are both done, and none of them twice', async (t, server) => {
  const store = await openUntilEnd(t, await server.freshSchema());
  const [ada, ben] = [await addUser(store, 'ada'), await addUser(store, 'ben')];
  let begun = 0;
  const bothHold = Promise.withResolvers<void>();
  const raiseBoth = (first: number, second: number) =>
    store.write(async (unit: WriteUnit) => {
      const one = await unit.users.find(first);
      begun += 1;
      if (begun === 2) bothHold.resolve();
      if (begun <= 2) await bothHold.promise;
      const other = await unit.users.find(second);
      for (const user of [one, other])
        await unit.users.change(user?.id as number, { generation: (user?.generation ?? 0) + 1 });
    });
  await Promise.all([raiseBoth(ada.id, ben.id), raiseBoth(ben.id, ada.id)]);
  // More than 3 where the unit that lost is back before the other one has gone on.
  assert.ok(begun >= 3, `begun ${begun} times`);
  for (const { generation } of await store.read((unit) => unit.users.list())) assert.equal(generation, 2);
});

const failing = (store: Store, began: { times: number }) =>
  store.write(async (unit) => {
    began.times += 1;
    await unit.users.add(aUser('ada'));
    await unit.events.append({ at: NOW, kind: 'user-added', user: 'ada' });
  });

for (const [what, state] of [
  ['serialization failure', '40001'],
  ['deadlock', '40P01'],
] as const) {
  test(`a unit that a ${what} ended is done again, whole`, async (t, server) => {
    const url = await server.freshSchema();
    const store = await openUntilEnd(t, url);
    await server.ask(losing(3, state), url);
    const began = { times: 0 };
    await failing(store, began);
    assert.equal(began.times, 4);
    assert.deepEqual(await contents(store), { users: 1, tickets: 0, events: 1 });
  });

  test(`a unit that a ${what} ends each time is given up as StoreUnavailable, and leaves nothing behind`, async (t, server) => {
    const url = await server.freshSchema();
    const store = await openUntilEnd(t, url);
    await server.ask(losing(1_000, state), url);
    const began = { times: 0 };
    await assert.rejects(failing(store, began), {
      name: 'StoreUnavailable',
      message: /wanted the same rows/,
    });
    assert.equal(began.times, 8);
    assert.deepEqual(await contents(store), { users: 0, tickets: 0, events: 0 });
  });
}

test('a part aside that a conflict ended is done again with its unit', async (t, server) => {
  const url = await server.freshSchema();
  const store = await openUntilEnd(t, url);
  await server.ask(losing(1, '40001'), url);
  const fault = await store.write(async (unit) => {
    await unit.users.add(aUser('ada'));
    return unit.aside(() => unit.events.append({ at: NOW, kind: 'user-added', user: 'ada' }));
  });
  assert.equal(fault, undefined);
  assert.deepEqual(await contents(store), { users: 1, tickets: 0, events: 1 });
});

test('a fault of a statement aside is returned, and the unit goes on', async (t, server) => {
  const url = await server.freshSchema();
  const store = await openUntilEnd(t, url);
  await server.ask(losing(1, '22000'), url);
  const fault = await store.write(async (unit) => {
    await unit.users.add(aUser('ada'));
    const told = await unit.aside(() => unit.events.append({ at: NOW, kind: 'user-added', user: 'ada' }));
    await unit.users.add(aUser('ben'));
    return told;
  });
  assert.ok(fault instanceof Error);
  assert.equal(fault.message, 'lost');
  assert.deepEqual(await contents(store), { users: 2, tickets: 0, events: 0 });
});

test('a statement that fails without being waited for fails its unit, even when that goes on as if nothing were', async (t, server) => {
  const url = await server.freshSchema();
  const store = await openUntilEnd(t, url);
  await server.ask(losing(1, '22000'), url);
  const unit = store.write(async ({ users, events }) => {
    await events.append({ at: NOW, kind: 'user-added', user: 'ada' });
    await events.list({}).catch(() => undefined);
    await users.add(aUser('ada')).catch(() => undefined);
    return 'written';
  });
  await assert.rejects(unit, { message: 'lost', code: '22000' });
  assert.deepEqual(await contents(store), { users: 0, tickets: 0, events: 0 });
});

test('a constraint that is broken stays a fault, and is no matter of availability', async (t, server) => {
  const url = await server.freshSchema();
  const store = await openUntilEnd(t, url);
  await server.ask(`ALTER TABLE events ADD CHECK (kind <> 'logout')`, url);
  await assert.rejects(append(store, { at: NOW, kind: 'logout' }), { code: '23514' });
  await append(store, { at: NOW, kind: 'login' });
});

test('a call that is not awaited within its unit fails with this reason, and does not reach into the next', async (t, server) => {
  const store = await openUntilEnd(t, await server.freshSchema());
  let kept: WriteUnit | undefined;
  await store.write(async (unit) => {
    kept = unit;
  });
  await assert.rejects(
    async () => kept?.users.add(aUser('ada')),
    /has ended: something in it was not awaited/,
  );
  await assert.rejects(async () => kept?.events.append({ at: NOW, kind: 'login' }), /has ended/);
  assert.deepEqual(await contents(store), { users: 0, tickets: 0, events: 0 });
});
