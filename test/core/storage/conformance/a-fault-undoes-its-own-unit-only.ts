import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aUser, type MakeStore } from './samples.ts';

/** Units that run close together do not share their faults. */
export function aFaultUndoesItsOwnUnitOnly(make: MakeStore): void {
  test('a fault in one of many units written together undoes that unit only', async (t) => {
    const store = await make(t);
    const writes = Array.from({ length: 20 }, (_, n) =>
      store.write(async (unit) => {
        await unit.users.add(aUser(`user ${n}`));
        if (n % 3 === 1) throw new Error(`fault ${n}`);
        return n;
      }),
    );
    const outcomes = await Promise.allSettled(writes);
    const kept = new Set((await store.read((unit) => unit.users.list())).map(({ name }) => name));
    for (const [n, outcome] of outcomes.entries()) {
      const faulty = n % 3 === 1;
      assert.equal(outcome.status, faulty ? 'rejected' : 'fulfilled', `unit ${n}`);
      assert.equal(kept.has(`user ${n}`), !faulty, `unit ${n}`);
      if (outcome.status === 'rejected') assert.equal(outcome.reason.message, `fault ${n}`);
      else assert.equal(outcome.value, n);
    }
  });

  test('a later unit sees nothing of an earlier one that failed', async (t) => {
    const store = await make(t);
    const failing = store.write(async (unit) => {
      await unit.users.add(aUser('ada'));
      throw new Error('undone');
    });
    const counting = store.write((unit) => unit.users.count());
    await assert.rejects(failing, /undone/);
    assert.equal(await counting, 0);
  });
}
