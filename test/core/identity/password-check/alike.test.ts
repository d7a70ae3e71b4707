import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNTIL_UNLOCKED } from '../../../../src/core/domain/user.ts';
import { ChangedStore } from '../../gate/changed-store.ts';
import { Checking, HERE, SECOND, THERE, type Wanted } from '../checking.ts';

/** What a client can learn of `name` from many attempts: answers, waits, and the number of hashes and of reads of the store. */
async function seenOf(
  name: string,
  rules: Wanted,
  prepare: (checking: Checking) => Promise<unknown>,
): Promise<string[]> {
  const store = new ChangedStore();
  const checking = new Checking({ ...rules, store });
  await prepare(checking);
  const seen: string[] = [];
  const tryOnce = async (password: string, address = HERE) => {
    const [hashes, reads] = [checking.hashed.length, store.reads];
    const result = await checking.login(name, password, address);
    assert.ok('refused' in result);
    const { refused, detail, retryAfter } = result;
    const costs = [checking.hashed.length - hashes, store.reads - reads];
    seen.push([refused, detail, retryAfter, ...costs].join(' '));
  };
  for (let time = 0; time < 30; time += 1) {
    await tryOnce(`wrong ${time}`);
    checking.now += (time % 3) * SECOND;
  }
  await tryOnce('wrong', THERE);
  return seen;
}

const KINDS: Record<string, (checking: Checking) => Promise<unknown>> = {
  'a disabled user': (checking) => checking.add('name', { disabled: true }),
  'a name that no user has': async () => undefined,
  'a name that no user can have': async () => undefined,
  'a user locked by hand': (checking) => checking.add('name', { lockedUntil: UNTIL_UNLOCKED }),
  'a disabled user without a password': (checking) =>
    checking.add('name', { disabled: true, passwordHash: undefined }),
};

for (const [kind, prepare] of Object.entries(KINDS)) {
  test(`${kind} is answered like a user: the same words, the same waits, the same work`, async () => {
    for (const rules of [
      { throttleAfter: 5, lockoutThreshold: 100 },
      { throttleAfter: 5, lockoutThreshold: 7 },
      { throttleAfter: 0, lockoutThreshold: 3 },
    ]) {
      const name = kind.includes('nobody can have') ? 'na\u0000me' : 'name';
      const known = await seenOf('name', rules, (checking) => checking.add('name'));
      assert.deepEqual(await seenOf(name, rules, prepare), known, JSON.stringify(rules));
    }
  });
}
