import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Checking, HERE, RIGHT, THERE } from '../checking.ts';

const USERS = ['ann', 'bob', 'cid', 'dan'];
/** So many names that each user stands in for some. */
const NAMES = [...USERS, ...Array.from({ length: 60 }, (_, n) => `nobody ${n}`)];

/** The stand-in of each name, in one attempt each. */
async function standInsOf(checking: Checking, password: string, address: string) {
  checking.standIns.length = 0;
  for (const name of NAMES) await checking.login(name, password, address);
  return [...checking.standIns];
}

async function four(): Promise<Checking> {
  const checking = new Checking();
  for (const name of USERS) await checking.add(name);
  return checking;
}

test('a name has the same stand-in each time, with any password and at any address', async () => {
  const checking = await four();
  const first = await standInsOf(checking, 'wrong', HERE);
  assert.deepEqual(await standInsOf(checking, 'wrong', HERE), first);
  assert.deepEqual(await standInsOf(checking, RIGHT, THERE), first);
  assert.deepEqual(await standInsOf(await four(), 'wrong', THERE), first);
});

test('every user stands in for some names, and every name has a stand-in, needed or not', async () => {
  assert.deepEqual(new Set(await standInsOf(await four(), 'wrong', HERE)), new Set(USERS));
});
