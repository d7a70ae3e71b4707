import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { minuteOf } from '../../../src/core/domain/event.ts';
import { startTestService } from '../../service/start.ts';
import { ask } from '../../service/talk.ts';
import { until } from '../../service/until.ts';

/** Requests with dead tickets, each from another address. */
const REQUESTS = 2_200;
const AT_ONCE = 50;

async function presentDeadTicket(url: string, number: number): Promise<void> {
  const { status } = await ask(`${url}/gate`, {
    headers: {
      'x-forwarded-for': `2001:db8:${(number % 40).toString(16)}:${number.toString(16)}::1`,
      authorization: `Bearer TICKET_${randomBytes(20).toString('hex')}`,
    },
  });
  assert.equal(status, 401);
}

test('dead tickets from random addresses make a limited number of rows, and each is counted', async (t) => {
  const { url, store, stopClock } = await startTestService(t, { TESSERA_TRUSTED_PROXIES: '127.0.0.1' });
  stopClock();
  for (let number = 0; number < REQUESTS; number += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, one) => presentDeadTicket(url, number + one)));
  const refused = async () =>
    (await store.read((unit) => unit.events.list({}))).filter(({ kind }) => kind === 'ticket-refused');
  await until('all are counted', async () => {
    const rows = await refused();
    return rows.reduce((sum, { count }) => sum + count, 0) === REQUESTS;
  });
  const rows = await refused();
  assert.equal(new Set(rows.map(({ at }) => minuteOf(at))).size, 1);
  assert.equal(rows.length, 1_000 + 40, 'beyond 1,000 rows, one for each /48');
});
