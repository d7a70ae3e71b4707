import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { addUser, NOW } from '../../core/storage/conformance/samples.ts';
import { temporaryFolder } from '../../service/start.ts';
import { databaseIn, openUntilEnd } from './folder.ts';

test('a user who is removed leaves no familiar address behind', async (t) => {
  const folder = await temporaryFolder(t);
  const store = openUntilEnd(t, folder);
  const { id } = await addUser(store, 'ada');
  await store.write((unit) => unit.attempts.setFamiliar(id, '192.0.2.1', NOW));
  await store.write((unit) => unit.users.remove(id));
  using database = new DatabaseSync(databaseIn(folder), { readOnly: true });
  assert.deepEqual(database.prepare('SELECT user_id FROM familiar_addresses').all(), []);
});
