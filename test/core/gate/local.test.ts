import assert from 'node:assert/strict';
import { test } from 'node:test';
import clientDelete from '../../../src/capabilities/admin/operations/admin/client.delete.ts';
import clientsPost from '../../../src/capabilities/admin/operations/admin/clients.post.ts';
import userDelete from '../../../src/capabilities/people/operations/admin/users/user.delete.ts';
import usersPost from '../../../src/capabilities/people/operations/admin/users/users.post.ts';
import { COMMAND_LINE } from '../../../src/core/domain/event.ts';
import { isRefusal, refuse } from '../../../src/core/domain/refusal.ts';
import { serverIdentity } from '../../../src/core/domain/server-identity.ts';
import { LocalGate } from '../../../src/core/gate/local.ts';
import loginPost from '../../../src/core/operations/login.post.ts';
import { userLike } from '../domain/samples.ts';
import { ChangedStore } from './changed-store.ts';
import { WITHOUT_SERVICE } from './running-service.ts';

/** The operator of a store with an administrator, ada. */
async function operator() {
  const store = new ChangedStore();
  await store.aside(async ({ users }) => {
    const { id: _, ...user } = userLike({ name: 'ada', key: 'ada', administrator: true });
    await users.add(user);
  });
  const gate = new LocalGate({
    ...WITHOUT_SERVICE,
    store,
    operator: 'root',
    from: COMMAND_LINE,
    operations: [],
    identity: serverIdentity({ edition: 'Tessera', version: '3.2.0 (2039)' }),
    startedAt: 0,
    namesCaseSensitive: false,
    allPeopleVisible: false,
    rules: {
      lifetime: { idle: 1, age: 1 },
      perUser: 0,
      whenFull: 'refuse',
      clock: () => 1,
      random: (bytes) => Buffer.alloc(bytes),
    },
    passwords: {
      hashNew: async (_, password) =>
        password.length < 8 ? refuse('new_password_refused', { detail: 'short' }) : `hash of ${password}`,
    },
  });
  return {
    store,
    gate,
    events: async () =>
      (await store.read(({ events }) => events.list({ limit: 10 }))).map(({ kind, actor, from }) => ({
        kind,
        actor,
        from,
      })),
  };
}

test('what the operator changes is an event with the name of the operator', async () => {
  const { gate, events } = await operator();
  await gate.perform(clientsPost, { body: { name: 'portal' } });
  assert.deepEqual(await events(), [{ kind: 'client-added', actor: 'root', from: COMMAND_LINE }]);
});

test('a new password is judged and hashed before the transaction', async () => {
  const { gate, store, events } = await operator();
  const refused = await gate.perform(usersPost, { body: { userName: 'bob', password: 'short' } });
  assert.equal(isRefusal(refused) && refused.refused, 'new_password_refused');
  assert.deepEqual(await events(), []);
  await gate.perform(usersPost, { body: { userName: 'bob', password: 'long enough' } });
  const bob = await store.read(({ users }) => users.findByKey('bob'));
  assert.equal(bob?.passwordHash, 'hash of long enough');
});

test('of several operations together nothing stays if one is refused', async () => {
  const { gate, store, events } = await operator();
  const adding = gate.together(async (perform) => {
    await perform(clientsPost, { body: { name: 'portal' } });
    const gone = await perform(clientDelete, { path: { name: 'none' } });
    if (isRefusal(gone)) throw new Error(gone.refused);
  });
  await assert.rejects(adding, { message: 'client_not_found' });
  assert.deepEqual(await store.read(({ clients }) => clients.list()), []);
  assert.deepEqual(await events(), []);
});

test('the operator may leave no administrator, who can make another one', async () => {
  const { gate, store } = await operator();
  const removed = await gate.perform(userDelete, { path: { userName: 'ada' } });
  assert.ok(!isRefusal(removed));
  assert.equal(await store.read(({ users }) => users.findByKey('ada')), undefined);
});

test('only operations of administration run without a credential', async () => {
  const { gate } = await operator();
  const credentials = { body: { username: 'ada', password: 'wrong' } };
  await assert.rejects(gate.perform(loginPost, credentials), {
    message: /login\.post is no operation of administration/,
  });
});

test('an operation that prepares something is not performed within a transaction', async () => {
  const { gate } = await operator();
  const adding = gate.together((perform) => perform(usersPost, { body: { userName: 'bob' } }));
  await assert.rejects(adding, { message: /users\.post runs in a transaction of its own/ });
});
