import assert from 'node:assert/strict';
import { addUser, append, aUser, NOW } from '../../core/storage/conformance/samples.ts';
import { testsOnPostgres } from '../../service/postgres.ts';
import { openUntilEnd } from './opened.ts';

const test = await testsOnPostgres();

/** Texts that a server refuses, or that look like their escaped form. */
const TEXTS = [
  '\0',
  'a\0b',
  '\u0001',
  '\u0001a',
  '\u0001b',
  '\0\u0001\0',
  '\u0001a\0b\u0001',
  'a',
  'ab',
  '\uffff',
  "'\\",
];

test('texts with characters that the server refuses come back as they were given', async (t, server) => {
  const store = await openUntilEnd(t, await server.freshSchema());
  await append(
    store,
    ...TEXTS.map((text) => ({ at: NOW, kind: 'login', user: text, from: text, reason: text }) as const),
  );
  const events = await store.read((unit) => unit.events.list({}));
  assert.deepEqual(
    events.map(({ user, from, reason }) => [user, from, reason]),
    TEXTS.map((text) => [text, text, text]),
  );
  for (const text of TEXTS) {
    const found = await store.read((unit) => unit.events.list({ user: text }));
    assert.deepEqual(
      found.map(({ user }) => user),
      [text],
    );
    await store.write((unit) => unit.events.tally({ at: NOW, kind: 'login-refused', user: text }, 2));
  }
  const counted = await store.read((unit) => unit.events.list({}));
  assert.equal(counted.filter(({ count }) => count === 2).length, TEXTS.length);
});

test('names that differ only in characters that the server refuses are told apart', async (t, server) => {
  const store = await openUntilEnd(t, await server.freshSchema());
  for (const text of TEXTS) assert.equal(await store.read((unit) => unit.users.findByKey(text)), undefined);
  for (const text of TEXTS) await addUser(store, text, { key: text });
  for (const text of TEXTS) {
    const found = await store.read((unit) => unit.users.findByKey(text));
    assert.deepEqual([found?.key, found?.name], [text, text]);
  }
});

test('a look-up of a node by such a text finds nothing, or what was put under it', async (t, server) => {
  const store = await openUntilEnd(t, await server.freshSchema());
  for (const text of TEXTS) {
    await store.read(async ({ nodes }) => {
      assert.equal(await nodes.root(text), undefined);
      assert.equal(await nodes.find(text, text), undefined);
      assert.equal(await nodes.child(text, text, text), undefined);
    });
  }
  for (const text of TEXTS) {
    const node = { store: 's://s', id: text, type: 'cm:folder', name: text, parent: 'top' };
    await store.write((unit) => unit.nodes.put(node));
    assert.deepEqual(await store.read((unit) => unit.nodes.find('s://s', text)), node);
    assert.deepEqual(await store.read((unit) => unit.nodes.child('s://s', 'top', text)), node);
  }
});

test('half a surrogate pair is no fault', async (t, server) => {
  const store = await openUntilEnd(t, await server.freshSchema());
  await append(store, { at: NOW, kind: 'login', user: 'a\ud800b' });
  assert.equal((await store.read((unit) => unit.events.list({}))).length, 1);
  assert.equal(await store.read((unit) => unit.nodes.find('s://s', '\udc00')), undefined);
});

test('a user who is added with a profile is written into the index for searches once', async (t, server) => {
  const url = await server.freshSchema();
  const store = await openUntilEnd(t, url);
  await store.write(async ({ users, profiles }) => {
    const ada = await users.add(aUser('ada'));
    await profiles.put(ada?.id ?? 0, { lastName: 'Lovelace' });
  });
  // Each further version of a row has another place.
  assert.deepEqual(await server.ask('SELECT ctid::text AS place FROM user_search', url), [
    { place: '(0,1)' },
  ]);
});
