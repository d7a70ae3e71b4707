import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { PasswordLink } from '../../../../src/capabilities/mail/tables/password-links.ts';
import { aUser, type MakeStore } from './samples.ts';

/** Of a user's links to choose a password there is the newest one for each purpose, and the user takes them along. */
export function passwordLinksAreTheNewest(make: MakeStore): void {
  test('a link to choose a password replaces the one before, counts once, and goes with its user', async (t) => {
    const store = await make(t);
    const user = await store.write(({ users }) => users.add(aUser('anna')));
    const link = (purpose: PasswordLink['purpose'], expiresAt: number) => ({
      userId: user?.id as number,
      purpose,
      digest: randomBytes(32),
      generation: 3,
      expiresAt,
    });
    const [first, second] = [link('password-reset', 1_000), link('password-reset', 2_000)];
    const invitation = link('invitation', 9_000);
    const find = ({ digest }: PasswordLink) => store.read(({ passwordLinks }) => passwordLinks.find(digest));
    await store.write(async ({ passwordLinks }) => {
      for (const each of [first, second, invitation]) await passwordLinks.put(each);
    });
    assert.deepEqual(await Promise.all([first, second, invitation].map(find)), [
      undefined,
      second,
      invitation,
    ]);
    const sweep = (at: number) => store.write(({ passwordLinks }) => passwordLinks.sweep(at, 10));
    assert.deepEqual([await sweep(2_000), await sweep(2_001)], [0, 1]);
    await store.write(({ passwordLinks }) => passwordLinks.put(second));
    const use = () => store.write(({ passwordLinks }) => passwordLinks.removeOf(second.userId));
    assert.deepEqual([await use(), await use()], [2, 0]);
    const putBack = (back: PasswordLink) => store.write(({ passwordLinks }) => passwordLinks.putBack(back));
    await putBack(second);
    await putBack(first);
    assert.deepEqual(await Promise.all([first, second].map(find)), [undefined, second]);
    await store.write(({ passwordLinks }) => passwordLinks.put(second));
    await store.write(({ users }) => users.remove(second.userId));
    assert.equal(await find(second), undefined);
  });
}
