import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PASSWORD, startTestService } from '../../service/start.ts';
import { ask, basic, logIn } from '../../service/talk.ts';
import { ME } from '../v1/places.ts';
import { ChangedStore } from './changed-store.ts';

const DEAD = `TICKET_${'0'.repeat(40)}`;

test('a call about the presented ticket reads only alf_ticket, if that holds anything', async (t) => {
  const { url } = await startTestService(t, {}, () => new ChangedStore());
  const ticket = await logIn(url);
  const statusOf = async (argument: string, headers: Record<string, string>) =>
    (await ask(`${url}${ME}?alf_ticket=${argument}`, { headers })).status;
  for (const [headers, alone] of [
    [basic(ticket), 200],
    // No ticket of this name exists.
    [basic(`admin:${PASSWORD}`), 400],
  ] as const) {
    assert.equal(await statusOf('', headers), alone);
    assert.equal(await statusOf(ticket, headers), 200);
    assert.equal(await statusOf(DEAD, headers), 401);
  }
});

test('any other call reads the header if alf_ticket is dead', async (t) => {
  const { url } = await startTestService(t, {}, () => new ChangedStore());
  const ticket = await logIn(url);
  for (const headers of [basic(ticket), basic(`admin:${PASSWORD}`)])
    assert.equal(
      (await ask(`${url}/api/login/ticket/${ticket}?alf_ticket=${DEAD}`, { headers })).status,
      200,
    );
});
