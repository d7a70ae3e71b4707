import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cursorsOf } from '../../../../src/core/domain/cursor.ts';
import { shortDigest, type Ticket } from '../../../../src/core/domain/ticket.ts';
import { digestOf } from '../../../../src/core/gate/tickets.ts';
import { PASSWORD, startTestService } from '../../../service/start.ts';
import { ask, logIn } from '../../../service/talk.ts';
import { asked } from './asked.ts';

test('an auditor lists the tickets of all users page by page, each once with user, state and times', async (t) => {
  const service = await startTestService(t);
  service.stopClock();
  const expected: unknown[] = [];
  for (const name of ['ann', 'bob', 'cem']) {
    await service.addUser(name);
    for (const _ of [1, 2])
      expected.push([shortDigest(digestOf((await logIn(service.url, name)) as Ticket)), name]);
  }
  await asked(service, '/users/cem', { method: 'PATCH', body: JSON.stringify({ locked: true }) });
  const items: Record<string, string>[] = [];
  let cursor: string | undefined = '';
  while (cursor !== undefined) {
    const { body } = await asked(service, `/tickets?limit=4&cursor=${cursor}`, {}, 'auditor');
    assert.ok(body.items.length <= 4);
    items.push(...body.items);
    cursor = body.next;
  }
  const told = items.filter(({ user }) => user !== 'admin');
  assert.deepEqual(told.map(({ digest, user }) => [digest, user]).toSorted(), expected.toSorted());
  for (const { user, state, issuedAt, usedAt } of told) {
    assert.equal(state, user === 'cem' ? 'suspended' : 'valid');
    assert.ok(Date.parse(issuedAt ?? '') <= Date.parse(usedAt ?? ''));
  }
});

test('a cursor that no page gave is refused, its checksum may be right', async (t) => {
  const service = await startTestService(t);
  const cursors = cursorsOf('tickets', 'number', 'string');
  const digest = 'a'.repeat(64);
  for (const place of [
    [1, 'a'],
    [1, digest.toUpperCase()],
    [0, digest],
    [-5, digest],
  ] as const) {
    const { status, body } = await asked(service, `/tickets?cursor=${cursors.after(place)}`);
    assert.deepEqual([status, body.code], [400, 'cursor_invalid']);
  }
  assert.equal((await asked(service, `/tickets?cursor=${cursors.after([1, digest])}`)).status, 200);
});

test('a ticket tells the address and the program that it was issued to, however the login came', async (t) => {
  const service = await startTestService(t);
  await service.addUser('ann');
  const { url } = service;
  const body = JSON.stringify({ username: 'ann', password: PASSWORD });
  const v1 = JSON.stringify({ userId: 'ann', password: PASSWORD });
  const headers = (program: string) => ({ 'user-agent': program, 'content-type': 'application/json' });
  const path = '/alfresco/api/-default-/public/authentication/versions/1/tickets';
  await ask(`${url}/api/login?u=ann&pw=${PASSWORD}`, { headers: headers('by GET') });
  await ask(`${url}/api/login`, { method: 'POST', body, headers: headers(`\u00e9\u0085${'x'.repeat(300)}`) });
  await ask(`${url}${path}`, { method: 'POST', body: v1, headers: headers('  v1\t1.0  ') });
  await ask(`${url}/api/login`, { method: 'POST', body, headers: headers('') });
  const { body: listed } = await asked(service, '/users/ann/tickets', {}, 'auditor');
  const told = listed.items.map(({ from, program }: Record<string, string>) => [from, program]);
  assert.deepEqual(
    told.toSorted(),
    [
      ['127.0.0.1', 'by GET'],
      ['127.0.0.1', 'v11.0'],
      ['127.0.0.1', undefined],
      ['127.0.0.1', `\u00e9${'x'.repeat(199)}`],
    ].toSorted(),
  );
  const { body: all } = await asked(service, '/tickets?limit=1000', {}, 'auditor');
  const ofAnn = all.items.filter(({ user }: Record<string, string>) => user === 'ann');
  assert.deepEqual(
    ofAnn.map(({ from, program }: Record<string, string>) => [from, program]).toSorted(),
    told.toSorted(),
  );
});
