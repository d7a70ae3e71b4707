import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PASSWORD, startTestService } from '../../service/start.ts';
import { ask, basic, logIn } from '../../service/talk.ts';

test('a touch checks the credential that is presented, and as guest needs none', async (t) => {
  const { url } = await startTestService(t);
  const ticket = await logIn(url);
  const dead = { authorization: `Bearer TICKET_${'0'.repeat(40)}` };
  for (const [query, headers, status] of [
    ['', {}, 401],
    ['', basic(`admin:${PASSWORD}`), 200],
    ['', basic('admin:wrong'), 401],
    ['', { authorization: `Bearer ${ticket}` }, 200],
    ['', dead, 401],
    [`?alf_ticket=${ticket}`, {}, 200],
    ['?guest=true', {}, 200],
    ['?guest=TRUE', {}, 200],
    ['?guest=', {}, 401],
    ['?guest=false', {}, 401],
    ['?guest=1', {}, 401],
  ] as const) {
    const answered = await ask(`${url}/alfresco/wcs/touch${query}`, { headers });
    assert.equal(answered.status, status, query);
    if (status === 200) assert.equal(answered.text, '');
    else assert.equal(answered.headers.get('www-authenticate'), 'Basic realm="Tessera"');
  }
});

test('a wrong password at a touch counts as a failed login', async (t) => {
  const { url } = await startTestService(t, { TESSERA_THROTTLE_AFTER: '2' });
  for (let failures = 0; failures < 2; failures += 1)
    assert.equal((await ask(`${url}/touch`, { headers: basic('admin:wrong') })).status, 401);
  const waiting = await ask(`${url}/touch`, { headers: basic(`admin:${PASSWORD}`) });
  assert.equal(waiting.status, 401);
  assert.ok(Number(waiting.headers.get('retry-after')) > 0);
});
