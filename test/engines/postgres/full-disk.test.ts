import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { appendFileSync, chownSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { addUser, append, NOW } from '../../core/storage/conformance/samples.ts';
import { testsOnPostgres } from '../../service/postgres.ts';
import { smallDisk } from '../sqlite/disk.ts';
import { openUntilEnd } from './opened.ts';

const test = await testsOnPostgres();

test('a server whose disk is full says so to each writer, answers readers, and goes on once there is room', async (t, server) => {
  const disk = smallDisk(t, 32_768);
  if (disk === undefined) return;
  const space = join(disk.place, 'space');
  mkdirSync(space);
  const { uid, gid } = statSync(server.data);
  for (const folder of [dirname(disk.place), disk.place, space]) chownSync(folder, uid, gid);
  await server.ask(`CREATE TABLESPACE small LOCATION '${space}'`);
  const url = await server.freshDatabase('TABLESPACE small');
  const store = await openUntilEnd(t, url);
  const ada = await addUser(store, 'ada');
  const ballast = join(disk.place, 'ballast');
  assert.throws(() => {
    for (;;) appendFileSync(ballast, Buffer.alloc(65_536));
  }, /ENOSPC/);
  const long = () => append(store, { at: NOW, kind: 'login', reason: randomBytes(200_000).toString('hex') });
  const full = { name: 'StoreUnavailable', message: /disk is full: free some space/ };
  for (let turn = 0; turn < 3; turn++) await assert.rejects(long(), full);
  assert.deepEqual(await store.read((unit) => unit.users.list()), [ada]);
  rmSync(ballast);
  await long();
  assert.equal((await store.read((unit) => unit.events.list({}))).length, 1);
});
