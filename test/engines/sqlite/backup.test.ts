import assert from 'node:assert/strict';
import { linkSync, mkdirSync, readdirSync, readFile, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { backUpSqlite, lastChanceToStop } from '../../../src/engines/sqlite/backup.ts';
import { restoreSqlite } from '../../../src/engines/sqlite/restore.ts';
import { addUser, aTicket, issue, NOW } from '../../core/storage/conformance/samples.ts';
import { temporaryFolder } from '../../service/start.ts';
import { openSqlite } from '../../service/stores.ts';
import { smallDisk } from './disk.ts';
import { damageRows, databaseIn, digestsIn, openUntilEnd } from './folder.ts';

const HOW = { replace: false, keepTickets: false, actor: 'root', now: NOW };
const silent = () => undefined;

/** A data folder with one user and one ticket, and a backup of it. */
async function backedUp(t: TestContext) {
  const [folder, file] = [await temporaryFolder(t), join(await temporaryFolder(t), 'saved.db')];
  const store = openSqlite(folder);
  const ada = await addUser(store, 'ada');
  await issue(store, aTicket(1, ada));
  await backUpSqlite(folder, file, silent);
  return { folder, file, store, ada };
}

const held = (store: ReturnType<typeof openSqlite>, n: number) =>
  store.read((unit) => unit.tickets.find(aTicket(n, { id: 1, generation: 0 }).digest));

test('what was committed when a backup began is in it, and nothing that was written meanwhile', async (t) => {
  const [folder, file] = [await temporaryFolder(t), join(await temporaryFolder(t), 'saved.db')];
  const store = openUntilEnd(t, folder);
  const ada = await addUser(store, 'ada');
  await issue(store, ...Array.from({ length: 40_000 }, (_, n) => aTicket(n, ada)));
  let late = 0;
  const writing: Promise<unknown>[] = [];
  await backUpSqlite(folder, file, () => {
    late += 1;
    writing.push(addUser(store, `late ${late}`));
  });
  await Promise.all(writing);
  assert.ok(late > 1, `${late} steps`);
  using copy = new DatabaseSync(file, { readOnly: true });
  assert.equal(copy.prepare('SELECT count(*) AS rows FROM users').get()?.rows, 1);
  assert.equal(copy.prepare('SELECT count(*) AS rows FROM tickets').get()?.rows, 40_000);
  assert.equal((await store.read((unit) => unit.users.list())).length, 1 + late);
});

test('a backup is one file, with nothing beside it', async (t) => {
  const { file, store } = await backedUp(t);
  await store.close();
  assert.deepEqual(readdirSync(join(file, '..')), ['saved.db']);
});

test('a ticket of a restored backup is dead, since it may have been ended meanwhile, unless it is to be kept', async (t) => {
  const { file, store, ada } = await backedUp(t);
  await store.close();
  for (const keepTickets of [false, true]) {
    const folder = await temporaryFolder(t);
    await restoreSqlite(folder, file, { ...HOW, keepTickets }, silent);
    const found = await held(openUntilEnd(t, folder), 1);
    assert.deepEqual(found?.ticket, aTicket(1, ada));
    assert.equal(found?.serverGeneration, keepTickets ? 0 : 1);
  }
});

test('a restored backup has another database id, so that tickets in Redis do not belong to it', async (t) => {
  const { folder, file, store } = await backedUp(t);
  const before = await store.read(({ users }) => users.databaseId());
  await store.close();
  for (const keepTickets of [false, true]) {
    const restored = await temporaryFolder(t);
    await restoreSqlite(restored, file, { ...HOW, keepTickets }, silent);
    const id = await openUntilEnd(t, restored).read(({ users }) => users.databaseId());
    assert.notEqual(id, before);
  }
  const again = openUntilEnd(t, folder);
  assert.equal(await again.read(({ users }) => users.databaseId()), before);
});

test('a database that is open is not replaced, whatever is told', async (t) => {
  const { folder, file, store, ada } = await backedUp(t);
  await issue(store, aTicket(2, ada));
  for (const replace of [false, true])
    await assert.rejects(
      restoreSqlite(folder, file, { ...HOW, replace }, silent),
      /already|open: stop the service first/,
    );
  assert.deepEqual((await held(store, 2))?.ticket, aTicket(2, ada));
  await store.close();
  assert.deepEqual(readdirSync(folder), ['tessera.db']);
});

const REPLACING = { ...HOW, replace: true, keepTickets: true };
const keptIn = (folder: string) => `${databaseIn(folder)}.replaced`;

function ticketsKeptIn(folder: string) {
  using replaced = new DatabaseSync(keptIn(folder), { readOnly: true });
  return replaced.prepare('SELECT count(*) AS rows FROM tickets').get()?.rows;
}

test('what is replaced is kept beside, whole, and its file is told', async (t) => {
  const { folder, file, store, ada } = await backedUp(t);
  await issue(store, aTicket(2, ada));
  await store.close();
  assert.deepEqual(await restoreSqlite(folder, file, REPLACING, silent), [keptIn(folder)]);
  const restored = openUntilEnd(t, folder);
  assert.equal(await held(restored, 2), undefined);
  assert.equal(ticketsKeptIn(folder), 2);
});

test('where nothing was replaced, nothing is kept', async (t) => {
  const { file, store } = await backedUp(t);
  await store.close();
  const folder = await temporaryFolder(t);
  assert.deepEqual(await restoreSqlite(folder, file, REPLACING, silent), []);
  assert.deepEqual(readdirSync(folder), ['tessera.db']);
});

test('a replaced database that is still kept is never replaced', async (t) => {
  const { folder, file, store, ada } = await backedUp(t);
  await issue(store, aTicket(2, ada));
  await store.close();
  await restoreSqlite(folder, file, REPLACING, silent);
  const before = digestsIn(folder);
  const again = () => restoreSqlite(folder, file, REPLACING, silent);
  await assert.rejects(again, /tessera\.db\.replaced in it .* move it away or remove it first$/);
  assert.deepEqual(digestsIn(folder), before);
  assert.equal(ticketsKeptIn(folder), 2);
  rmSync(databaseIn(folder));
  await assert.rejects(again, /move it away or remove it first$/);
  assert.equal(ticketsKeptIn(folder), 2);
  rmSync(keptIn(folder));
  writeFileSync(`${keptIn(folder)}-wal`, 'a log');
  await assert.rejects(again, /tessera\.db\.replaced-wal in it .* move it away or remove it first$/);
});

test('what is kept while a backup is checked is not replaced either', async (t) => {
  const { folder, file, store } = await backedUp(t);
  await store.close();
  const meanwhile = () => writeFileSync(keptIn(folder), 'kept by another restoring');
  await assert.rejects(restoreSqlite(folder, file, REPLACING, meanwhile), /move it away or remove it first$/);
  assert.equal(readFileSync(keptIn(folder), 'utf8'), 'kept by another restoring');
  assert.deepEqual(readdirSync(folder), ['tessera.db', 'tessera.db.replaced']);
});

test('a restoring that was killed before it replaced anything does not hinder the next one', async (t) => {
  const { folder, file, store, ada } = await backedUp(t);
  await issue(store, aTicket(2, ada));
  await store.close();
  linkSync(databaseIn(folder), keptIn(folder));
  await restoreSqlite(folder, file, REPLACING, silent);
  assert.equal(ticketsKeptIn(folder), 2);
  assert.equal(await held(openUntilEnd(t, folder), 2), undefined);
});

test('after a restoring no id and no generation is given out again that was given out since the backup', async (t) => {
  const { folder, file, store } = await backedUp(t);
  const ben = await addUser(store, 'ben');
  await store.write((unit) => unit.tickets.raiseServerGeneration());
  await store.close();
  for (const keepTickets of [true, false]) {
    rmSync(keptIn(folder), { force: true });
    await restoreSqlite(folder, file, { ...REPLACING, keepTickets }, silent);
    const restored = openSqlite(folder);
    assert.ok((await addUser(restored, 'eve')).id > ben.id);
    const generation = await restored.read((unit) => unit.tickets.serverGeneration());
    assert.equal(generation, keepTickets ? 0 : 2);
    await restored.write((unit) => unit.tickets.raiseServerGeneration());
    await restored.close();
  }
});

test('a damaged database is replaced, with the log that belongs to it', async (t) => {
  const { folder, file, store, ada } = await backedUp(t);
  await store.close();
  writeFileSync(databaseIn(folder), 'This is no database.');
  writeFileSync(`${databaseIn(folder)}-wal`, 'nor its log');
  await restoreSqlite(folder, file, REPLACING, silent);
  assert.equal(readFileSync(keptIn(folder), 'utf8'), 'This is no database.');
  assert.deepEqual((await held(openUntilEnd(t, folder), 1))?.ticket, aTicket(1, ada));
});

test('a log whose database is gone is kept, and told', async (t) => {
  const { folder, file, store } = await backedUp(t);
  await store.close();
  rmSync(databaseIn(folder));
  writeFileSync(`${databaseIn(folder)}-wal`, 'the log of what is gone');
  assert.deepEqual(await restoreSqlite(folder, file, HOW, silent), [`${keptIn(folder)}-wal`]);
  assert.equal(readFileSync(`${keptIn(folder)}-wal`, 'utf8'), 'the log of what is gone');
});

test('what restorings left that were killed goes before anything is replaced: where it cannot, nothing is', async (t) => {
  const { folder, file, store } = await backedUp(t);
  await addUser(store, 'ben');
  await store.close();
  const stuck = `${databaseIn(folder)}.restore-x`;
  mkdirSync(stuck);
  writeFileSync(join(stuck, 'something'), '');
  await assert.rejects(restoreSqlite(folder, file, { ...HOW, replace: true }, silent), {
    name: 'StoreUnavailable',
  });
  assert.deepEqual(readdirSync(folder).sort(), ['tessera.db', 'tessera.db.restore-x']);
  const users = await openUntilEnd(t, folder).read((unit) => unit.users.list());
  assert.deepEqual(
    users.map(({ name }) => name),
    ['ada', 'ben'],
  );
});

test('a signal that came while SQLite checked the file stops the work before the file appears', async (t) => {
  // A signal that ends the run of tests must not end this test first.
  const others = process.listeners('SIGHUP');
  process.removeAllListeners('SIGHUP');
  t.after(() => {
    for (const other of others) process.once('SIGHUP', other);
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let [seen, heard] = [false, false];
  // Called in a turn that has read its signals already.
  readFile(import.meta.filename, () => {
    process.once('SIGHUP', () => {
      seen = true;
    });
    process.kill(process.pid, 'SIGHUP');
    lastChanceToStop(() => {
      heard = seen;
    }).then(resolve, reject);
  });
  await promise;
  assert.ok(heard);
});

test('a backup that is damaged anywhere is refused, and the database stays as it was', async (t) => {
  const { folder, file, store } = await backedUp(t);
  await store.close();
  const [before, good] = [digestsIn(folder), readFileSync(file)];
  for (const bad of [
    good.subarray(0, 100),
    good.subarray(0, good.length - 4_096),
    Buffer.from(good).fill(0x41, 8_192, 9_000),
    Buffer.from('text'),
    Buffer.alloc(0),
  ]) {
    writeFileSync(file, bad);
    await assert.rejects(restoreSqlite(folder, file, { ...HOW, replace: true }, silent), {
      name: 'StoreUnavailable',
      message: /cannot use the file .*(damaged|no database|empty)/,
    });
    assert.deepEqual(digestsIn(folder), before);
  }
});

test('a backup of a damaged database is refused, and blamed on the folder that it is in', async (t) => {
  const { folder, file, store } = await backedUp(t);
  await store.close();
  damageRows(folder);
  const another = `${file}.another`;
  await assert.rejects(backUpSqlite(folder, another, silent), (error: Error) => {
    assert.ok(error.message.startsWith(`cannot use the data folder ${folder}: `), error.message);
    assert.match(error.message, /damaged: restore a backup that is whole \(.+\)$/);
    return true;
  });
  assert.deepEqual(readdirSync(join(file, '..')), ['saved.db']);
});

test('a full disk under the data folder is not blamed on the backup that is put there', async (t) => {
  const disk = smallDisk(t, 64);
  if (disk === undefined) return;
  const { file, store } = await backedUp(t);
  await store.close();
  await assert.rejects(restoreSqlite(disk.place, file, HOW, silent), {
    name: 'StoreUnavailable',
    message: `cannot use the data folder ${disk.place}: the disk is full: free some space`,
  });
  assert.deepEqual(readdirSync(disk.place), []);
});

test("another program's database is no backup", async (t) => {
  const [folder, file] = [await temporaryFolder(t), join(await temporaryFolder(t), 'theirs.db')];
  new DatabaseSync(file).exec('CREATE TABLE theirs (it)');
  await assert.rejects(restoreSqlite(folder, file, HOW, silent), /belongs to another program/);
  assert.deepEqual(readdirSync(folder), []);
});
