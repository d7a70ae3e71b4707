import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from './service/start.ts';
import { ask, logIn } from './service/talk.ts';

test('a ticket lives from its login to its logout', async (t) => {
  const { url } = await startTestService(t);
  const ticket = await logIn(url);
  const there = `${url}/api/login/ticket/${ticket}`;
  assert.equal((await ask(`${there}?alf_ticket=${ticket}`)).status, 200);
  assert.equal((await ask(`${there}?alf_ticket=${ticket}`, { method: 'DELETE' })).status, 200);
  assert.equal((await ask(`${there}?alf_ticket=${ticket}`)).status, 401);
});
