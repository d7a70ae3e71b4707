import assert from 'node:assert/strict';
import { chmodSync, closeSync, ftruncateSync, openSync, utimesSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { databaseIn } from '../../../src/engines/sqlite/data-folder.ts';
import { fileSystemFinding, roomFinding } from '../../../src/tools/doctor/data-folder.ts';
import { addUser } from '../../core/storage/conformance/samples.ts';
import { smallDisk } from '../../engines/sqlite/disk.ts';
import { startTestService, temporaryFolder } from '../../service/start.ts';
import { openSqlite } from '../../service/stores.ts';
import { examine, wellSetUp } from './examined.ts';

test('a folder without a database is one fault, and checks that need it are skipped', async (t) => {
  const { of } = await examine({ TESSERA_DATA: await temporaryFolder(t) });
  assert.match(of('store', 'fault').join(), /there is no database in it: is it the one of the service\?$/);
  for (const check of ['database', 'clock', 'users', 'durability'])
    assert.deepEqual(of(check, 'skipped'), ['the store cannot be opened'], check);
});

test('a data folder that others may use, and forgotten files in it, are warned of', async (t) => {
  const { data, env } = await wellSetUp(t);
  chmodSync(data, 0o755);
  for (const name of ['tessera.db.replaced', 'initial-password']) writeFileSync(join(data, name), 'secret');
  const warned = (await examine(env))
    .of('data folder', 'warning')
    .filter((each) => !/overlay|MiB are free/.test(each));
  assert.equal(warned.length, 3);
  assert.match(warned[0] as string, /other users .*\(mode 755\).*: close it with chmod 700/);
  assert.match(warned[1] as string, /tessera\.db\.replaced is the database that a restore replaced/);
  assert.match(warned[2] as string, /initial-password still holds .*: .*users passwd admin/);
});

test('a data folder in memory, on a full disk or on a network is found', async (t) => {
  const disk = smallDisk(t, 1_024);
  if (disk === undefined) return;
  const { of } = await examine({ TESSERA_DATA: disk.place });
  assert.match(of('data folder', 'warning').join(), /is in memory \(tmpfs\): all users are lost/);
  assert.match(of('data folder', 'fault').join(), /^[01] MiB are free .*503: free some space$/);
  assert.match(JSON.stringify(fileSystemFinding(0x6969, '/data')), /"fault".*network file system \(NFS\)/);
  assert.match(JSON.stringify(fileSystemFinding(0x794c7630, '/data')), /"warning".*lost with the container/);
  assert.match(JSON.stringify(roomFinding({ bavail: 500, bsize: 1_048_576 })), /"warning".*500 MiB are free/);
  assert.equal(roomFinding({ bavail: 2_000, bsize: 1_048_576 }), undefined);
});

test('a damaged database is found', async (t) => {
  const { data, env } = await wellSetUp(t);
  const db = new DatabaseSync(databaseIn(data));
  const { page_size: size } = db.prepare('PRAGMA page_size').get() as { page_size: number };
  const { rootpage } = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'nodes'").get() as {
    rootpage: number;
  };
  db.close();
  const file = openSync(databaseIn(data), 'r+');
  writeSync(file, Buffer.alloc(size, 0x7f), 0, size, (rootpage - 1) * size);
  closeSync(file);
  const { of } = await examine(env);
  assert.match(of('database', 'fault').join(), /^it is damaged \(.*\): stop the service, and restore/);
});

test('while the service runs the doctor finds a long log, and the service goes on', async (t) => {
  const { data, url } = await startTestService(t);
  const log = openSync(`${databaseIn(data)}-wal`, 'r+');
  ftruncateSync(log, 600 * 1_048_576);
  closeSync(log);
  const { of } = await examine({ TESSERA_DATA: data });
  assert.match(of('database', 'warning').join(), /its log has grown to 600 MiB/);
  assert.equal((await fetch(`${url}/alfresco/service/api/server?guest=true`)).status, 200);
});

test('a store in which no administrator can log in, and users without a password, are found', async (t) => {
  const data = await temporaryFolder(t);
  const store = openSqlite(data);
  await addUser(store, 'boss', { administrator: true, disabled: true });
  for (const name of ['guest', 'kiosk']) await addUser(store, name, { passwordHash: undefined });
  await store.close();
  const env = { TESSERA_DATA: data, TESSERA_ADMIN_PASSWORD: 'left-over-of-the-start' };
  const { of } = await examine(env);
  assert.match(of('users', 'fault').join(), /^no administrator can log in: .*users enable NAME/);
  const [first, second, ...more] = of('users', 'warning');
  assert.match(
    first ?? '',
    /^TESSERA_ADMIN_PASSWORD still holds .*: remove it|: remove TESSERA_ADMIN_PASSWORD$/,
  );
  assert.match(second ?? '', /^any password logs in as "guest", "kiosk": /);
  assert.deepEqual(more, []);
});

test('a clock that was set back is told by the events', async (t) => {
  const { data, env } = await wellSetUp(t);
  const store = openSqlite(data);
  await store.write(({ events }) =>
    events.append({ at: Date.now() + 7_200_000, kind: 'user-added', user: 'ana', from: '127.0.0.1' }),
  );
  await store.close();
  const { of } = await examine(env);
  assert.match(
    of('clock', 'fault').join(),
    /, 7[12]\d\d\.\d s in the future: the clock was set back.*tickets revoke --all'$/,
  );
});

test('applications that nobody can sign in to as they are registered are found', async (t) => {
  const { data, env } = await wellSetUp(t);
  const store = openSqlite(data);
  const found = async (level: 'fault' | 'warning', more = {}) =>
    (await examine({ ...env, ...more })).of('applications', level).join('\n');
  await store.write(async ({ clients, applications }) => {
    await clients.add({ name: 'wiki', secretDigest: undefined, addedAt: 1 });
    await applications.put('wiki', { redirectUris: ['http://wiki.example.org/'], groups: ['nobody'] });
  });
  assert.match(await found('fault'), /wiki: redirectUris: "http:\/\/wiki\.example\.org\/" is http/);
  assert.match(await found('warning'), /TESSERA_ISSUER is not set.*group "nobody"/s);
  await store.write(({ applications }) =>
    applications.put('wiki', { redirectUris: ['https://wiki.example.org/'] }),
  );
  const issuer = { TESSERA_ISSUER: 'https://tickets.example.org', TESSERA_PORTAL: 'true' };
  assert.equal((await found('fault', issuer)) + (await found('warning', issuer)), '');
  await store.close();
});

test('receivers of webhooks that get no events are found', async (t) => {
  const { data, env } = await wellSetUp(t);
  const file = join(data, 'webhooks.json');
  const secrets = [`whsec_${'A'.repeat(32)}`];
  writeFileSync(file, JSON.stringify({ webhooks: [{ id: 'siem', url: 'https://siem', secrets }] }), {
    mode: 0o600,
  });
  const look = async (level: 'ok' | 'warning' | 'fault') =>
    (await examine({ ...env, TESSERA_WEBHOOKS: file })).of('webhooks', level).join('\n');
  const store = openSqlite(data);
  await store.write(({ webhooks }) => webhooks.setReceivers([{ id: 'siem', kinds: [] }]));
  assert.equal(await look('ok'), 'no receiver is behind');
  const at = Date.now() - 2 * 3_600_000;
  for (const user of ['ana', 'ben'])
    await store.write(({ events }) => events.append({ at, kind: 'user-added', user, from: '127.0.0.1' }));
  await store.write(async ({ webhooks }) => {
    const [first] = await webhooks.take('siem', Date.now(), Date.now() + 60_000, 1);
    await webhooks.giveUp(first as NonNullable<typeof first>, Date.now());
    await webhooks.noteFault('siem', Date.now(), 'it answered 500');
    await webhooks.noteGone('siem', at);
  });
  await store.close();
  chmodSync(file, 0o644);
  const keys = (await examine({ ...env, TESSERA_WEBHOOKS: file })).of('key files', 'warning').join();
  assert.match(keys, /webhooks\.json \(mode 644\), .*\(TESSERA_WEBHOOKS\)/);
  assert.match(await look('fault'), /^siem answered 410 at .*webhooks replay siem'$/);
  const warned = await look('warning');
  assert.match(
    warned,
    /^1 deliveries to siem wait, the oldest since 2.*Z \(it answered 500\): .*\n1 deliveries to siem were given up/,
  );
});

test('backups that are missing, old or open to others are found', async (t) => {
  const { env } = await wellSetUp(t);
  const folder = await temporaryFolder(t);
  const look = async (level: 'ok' | 'warning' | 'fault') =>
    (await examine(env, '--backups', folder)).of('backups', level).join('\n');
  assert.match(await look('fault'), /^there is no backup in /);
  const file = join(folder, 'of-last-week.db');
  writeFileSync(file, 'pages');
  const old = Date.now() / 1_000 - 7 * 86_400;
  utimesSync(file, old, old);
  chmodSync(file, 0o644);
  assert.match(await look('warning'), /of-last-week\.db, is 168 hours old: .*\nother users .*chmod 600/);
  writeFileSync(join(folder, 'of-today.db'), 'pages', { mode: 0o600 });
  assert.match(await look('ok'), /^the newest is .*of-today\.db, 0 hours old$/);
  writeFileSync(join(folder, 'of-today.db'), '');
  assert.match(await look('fault'), /of-today\.db, is empty/);
});
