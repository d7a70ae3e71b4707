import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openSqlite } from '../../../src/storage/sqlite/open.ts';
import type { Store } from '../../../src/storage/store.ts';
import { temporaryFolder } from '../../service/start.ts';
import { aDigest, addUser, aTicket, familiarSince, issue, NOW } from '../conformance/samples.ts';
import { openUntilEnd } from './folder.ts';

const OTHER = fileURLToPath(new URL('./other-process.ts', import.meta.url));

test('what one store writes the other reads at once, and the other way round', async (t) => {
  const folder = await temporaryFolder(t);
  const [one, other] = [openUntilEnd(t, folder), openUntilEnd(t, folder)];
  const ada = await addUser(one, 'ada');
  assert.deepEqual(await other.read((unit) => unit.users.find(ada.id)), ada);
  await issue(other, aTicket(1, ada));
  assert.ok(await one.read((unit) => unit.tickets.find(aDigest(1))));
  await one.write((unit) => unit.tickets.end(aDigest(1)));
  assert.equal(await other.read((unit) => unit.tickets.find(aDigest(1))), undefined);
  assert.equal(await other.write((unit) => unit.tickets.end(aDigest(1))), false);
  await other.write((unit) => unit.tickets.raiseServerGeneration());
  assert.equal(await one.read((unit) => unit.tickets.serverGeneration()), 1);
  await one.write((unit) => unit.attempts.setFamiliar(ada.id, '192.0.2.1', NOW));
  assert.equal(await other.read((unit) => familiarSince(unit, 'ada', '192.0.2.1')), NOW);
});

test('no raise is lost between two stores that read and raise the same user', async (t) => {
  const folder = await temporaryFolder(t);
  const [one, other] = [openUntilEnd(t, folder), openUntilEnd(t, folder)];
  const { id } = await addUser(one, 'ada');
  const raise = async (store: Store) => {
    for (let n = 0; n < 15; n++) {
      await store.write(async ({ users }) => {
        const user = await users.find(id);
        await users.change(id, { generation: (user?.generation ?? 0) + 1 });
      });
    }
  };
  await Promise.all([raise(one), raise(other)]);
  for (const store of [one, other])
    assert.equal((await store.read((unit) => unit.users.find(id)))?.generation, 30);
});

test('closing one store leaves the other at work', async (t) => {
  const folder = await temporaryFolder(t);
  const one = openUntilEnd(t, folder);
  const other = openSqlite(folder);
  await addUser(other, 'ada');
  await other.close();
  await addUser(one, 'ben');
  assert.equal(await one.read((unit) => unit.users.count()), 2);
});

test('several processes write to one folder, and nothing of any is lost', async (t) => {
  const folder = await temporaryFolder(t);
  const store = openUntilEnd(t, folder);
  const others = ['one', 'two'].map(async (prefix) => {
    const child = spawn(process.execPath, [OTHER, folder, prefix, '40'], { stdio: 'inherit' });
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });
  const mine = (async () => {
    for (let n = 0; n < 40; n++) await addUser(store, `mine ${n}`);
  })();
  await Promise.all([...others, mine]);
  const users = await store.read((unit) => unit.users.list());
  assert.equal(users.length, 120);
  assert.equal(new Set(users.map(({ id }) => id)).size, 120);
});
