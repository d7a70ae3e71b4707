import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { test } from 'node:test';
import { examineSqlite } from '../../../src/engines/sqlite/examine.ts';
import { addUser } from '../../core/storage/conformance/samples.ts';
import { temporaryFolder } from '../../service/start.ts';
import { openSqlite } from '../../service/stores.ts';
import { databaseIn } from './folder.ts';

test('the sizes of the files are told while a service uses them, and when none does', async (t) => {
  const folder = await temporaryFolder(t);
  const sizeOf = (end: string) => statSync(databaseIn(folder) + end).size;
  const store = openSqlite(folder);
  await addUser(store, 'ada');
  const open = { bytes: sizeOf(''), logBytes: sizeOf('-wal'), damage: undefined };
  assert.deepEqual(examineSqlite(folder), open);
  assert.ok(open.bytes > 0 && open.logBytes > 0);
  await store.close();
  assert.deepEqual(examineSqlite(folder), { bytes: sizeOf(''), logBytes: 0, damage: undefined });
});
