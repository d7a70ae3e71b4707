import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPassword } from '../../src/identity/password-hash.ts';
import type { WriteUnit } from '../../src/storage/store.ts';
import { PASSWORD, startTestService } from '../service/start.ts';
import { ask } from '../service/talk.ts';
import { ChangedStore } from './changed-store.ts';

const RENEWED = await hashPassword(PASSWORD, { memory: 16, passes: 1, lanes: 1 });

/** What may happen to the user between the check of its password and the unit that issues its ticket. */
const OVERTAKEN: Readonly<Record<string, (unit: WriteUnit) => Promise<unknown>>> = {
  'its tickets are revoked': ({ users }) => users.change(1, { generation: 7 }),
  'another login renews its hash': ({ users }) => users.change(1, { passwordHash: RENEWED }),
  'all tickets are revoked': ({ tickets }) => tickets.raiseServerGeneration(),
};

for (const [what, happen] of Object.entries(OVERTAKEN)) {
  test(`a login during which ${what} is given a ticket that lives`, async (t) => {
    const store = new ChangedStore();
    const { url } = await startTestService(t, {}, () => store);
    let hasHappened = false;
    // The unit that issues the ticket looks at the user again.
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
    const body = JSON.stringify({ username: 'admin', password: PASSWORD });
    const { status, text } = await ask(`${url}/api/login`, { method: 'POST', body });
    assert.deepEqual([status, hasHappened], [200, true], text);
    const { ticket } = JSON.parse(text).data;
    assert.equal((await ask(`${url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`)).status, 200);
  });
}
