import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  UserImport,
  type UserImportOptions,
} from '../../../../src/capabilities/migration/import/user-import.ts';
import { ChangedStore } from '../../../core/gate/changed-store.ts';
import { addUser, NOW } from '../../../core/storage/conformance/samples.ts';
import { MD4 } from './importing.ts';

const MANNER: UserImportOptions = {
  cost: { memory: 8, passes: 1, lanes: 1 },
  namesCaseSensitive: false,
  update: false,
  withoutHash: false,
  dryRun: false,
  clock: () => NOW,
};

/** Imports users with these names. Returns the report, the refused lines, and the users in the events. */
async function imported(store: ChangedStore, ...names: readonly string[]) {
  const refused: string[] = [];
  const onRefused = (number: number, why: string) => refused.push(`line ${number}: ${why}`);
  async function* records() {
    for (const [index, name] of names.entries()) yield { number: index + 1, value: { name, ...MD4 } };
  }
  const report = await new UserImport(store, MANNER, { onBatch() {}, onRefused }).run(records());
  const events = await store.read((unit) => unit.events.list({}));
  return { report, refused, told: events.map(({ user }) => user) };
}

test('a user whom another process added meanwhile is refused, and not reported as added', async () => {
  const store = new ChangedStore();
  store.change = (unit) => {
    const add: typeof unit.users.add = async (user) =>
      user.key === 'ann' ? undefined : unit.users.add(user);
    return { ...unit, users: { ...unit.users, add } };
  };
  const { report, refused, told } = await imported(store, 'ann', 'bob');
  assert.deepEqual(report, { added: 1, updated: 0, unchanged: 0, withoutHash: 0, groups: 0, refused: 1 });
  assert.deepEqual(refused, ['line 1: names a user that was added meanwhile: import the file again']);
  assert.deepEqual(told, ['bob']);
});

test('a user who was there and is removed before the line is written is refused', async () => {
  const store = new ChangedStore();
  const { id } = await addUser(store, 'ann');
  store.beforeNextWrite = () => store.aside((unit) => unit.users.remove(id));
  const { report, refused } = await imported(store, 'ann', 'bob');
  assert.deepEqual([report.added, report.refused], [1, 1]);
  assert.deepEqual(refused, ['line 1: names a user that was removed meanwhile: import the file again']);
});
