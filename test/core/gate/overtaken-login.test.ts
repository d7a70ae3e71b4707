import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { hashPassword } from '../../../src/core/identity/password-hash.ts';
import type { WriteUnit } from '../../../src/core/storage/store.ts';
import { PASSWORD, startTestService } from '../../service/start.ts';
import { ask } from '../../service/talk.ts';
import { ChangedStore } from './changed-store.ts';

const RENEWED = await hashPassword(PASSWORD, { memory: 16, passes: 1, lanes: 1 });

/** What may happen to the user between the check of the password and the unit that issues the ticket. */
const OVERTAKEN: Readonly<Record<string, (unit: WriteUnit) => Promise<unknown>>> = {
  'its tickets are revoked': ({ users }) => users.change(1, { generation: 7 }),
  'another login renews its hash': ({ users }) => users.change(1, { passwordHash: RENEWED }),
  'all tickets are revoked': ({ tickets }) => tickets.raiseServerGeneration(),
};

/** Logs in over a store in which this happens when the unit that issues the ticket reads the user again. */
async function overtaken(t: TestContext, name: string, happen: (unit: WriteUnit) => Promise<unknown>) {
  const store = new ChangedStore();
  const service = await startTestService(t, {}, () => store);
  if (name !== 'admin') await service.addUser(name, { password: undefined });
  let hasHappened = false;
  store.change = (unit) => ({
    ...unit,
    users: {
      ...unit.users,
      async find(id) {
        hasHappened = true;
        await happen(unit);
        return unit.users.find(id);
      },
    },
  });
  const body = JSON.stringify({ username: name, password: PASSWORD });
  const { status, text } = await ask(`${service.url}/api/login`, { method: 'POST', body });
  assert.ok(hasHappened);
  return { url: service.url, status, text };
}

for (const [what, happen] of Object.entries(OVERTAKEN)) {
  test(`a login during which ${what} gets a live ticket`, async (t) => {
    const { url, status, text } = await overtaken(t, 'admin', happen);
    assert.equal(status, 200, text);
    const { ticket } = JSON.parse(text).data;
    assert.equal((await ask(`${url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`)).status, 200);
  });
}

test('a login during which its account without a password is removed is refused', async (t) => {
  const { status } = await overtaken(t, 'guest', async ({ users }) => {
    const guest = await users.findByKey('guest');
    if (guest !== undefined) await users.remove(guest.id);
  });
  assert.equal(status, 403);
});

test('a login during which a provider takes over its account without a password is refused', async (t) => {
  const { status } = await overtaken(t, 'guest', async ({ users }) => {
    const guest = await users.findByKey('guest');
    if (guest?.provider === undefined)
      await users.change(guest?.id ?? 0, { provider: 'acme', generation: (guest?.generation ?? 0) + 1 });
  });
  assert.equal(status, 403);
});
