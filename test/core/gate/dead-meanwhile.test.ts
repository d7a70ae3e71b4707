import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTicket, type Ticket } from '../../../src/core/domain/ticket.ts';
import { digestOf } from '../../../src/core/gate/tickets.ts';
import { PASSWORD, startTestService } from '../../service/start.ts';
import { ask, basic, logIn } from '../../service/talk.ts';
import { ChangedStore } from './changed-store.ts';

test('if an alf_ticket dies before it is confirmed, the password beside it decides', async (t) => {
  const store = new ChangedStore();
  const { url } = await startTestService(t, {}, () => store);
  for (const [password, expected] of [
    [PASSWORD, 404],
    ['wrong', 401],
  ] as const) {
    const ticket = await logIn(url);
    store.beforeNextWrite = async () => {
      await store.aside(({ tickets }) => tickets.end(digestOf(parseTicket(ticket) as Ticket)));
    };
    const { status } = await ask(`${url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`, {
      method: 'DELETE',
      headers: basic(`admin:${password}`),
    });
    assert.equal(status, expected);
  }
});
