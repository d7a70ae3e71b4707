import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { startTestService } from '../../service/start.ts';
import { ask, logIn } from '../../service/talk.ts';

test('secrets in the URL, the header and the body of whatever request leave no trace in the log', async (t) => {
  const { url, lines } = await startTestService(t, { TESSERA_LOG_LEVEL: 'debug' });
  const ticket = await logIn(url);
  const secrets = { headers: { authorization: 'Bearer s3cr3t' } };
  for (const path of [
    '/api/login?u=hunter2&pw=s3cr3t',
    '/api/login?u=hunter2&u=hunter3&pw=s3cr3t',
    '/api/login?u=hunter2&pw=s3cr3t%zz',
    '/api/login.hunter2?pw=s3cr3t',
    `/api/login/ticket/${ticket}?alf_ticket=${ticket}`,
    `/api/login/ticket/TICKET_hunter2?alf_ticket=TICKET_s3cr3t`,
    `/nowhere/${ticket}?password=s3cr3t`,
  ])
    await ask(`${url}${path}`, secrets);
  for (const body of [
    '{"username":"hunter2","password":"s3cr3t"}',
    '{"password":"s3cr3t',
    'password=s3cr3t',
    '[["s3cr3t"]]',
  ])
    await ask(`${url}/api/login`, { method: 'POST', body });
  assert.ok(lines.length >= 12);
  for (const line of lines) {
    assert.doesNotMatch(line, /hunter2|s3cr3t/);
    assert.ok(!line.includes(ticket.slice(7)), line);
  }
});

test('the line of a start has the version', async (t) => {
  const { lines, url } = await startTestService(t);
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  const listening = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'listening');
  assert.deepEqual([listening.url, listening.version], [url, version]);
});
