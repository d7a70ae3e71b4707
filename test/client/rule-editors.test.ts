import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, Unreadable } from '../../src/client/client.ts';
import { startTestService } from '../service/start.ts';
import { logIn } from '../service/talk.ts';
import { refusedWith } from './refused.ts';
import { json, scripted } from './scripted.ts';

const SITES = 'workspace://SpacesStore/sites';

test('an action is validated, and its faults are returned, not thrown', async (t) => {
  const { url } = await startTestService(t);
  const mine = new Client(url).withTicket(await logIn(url));
  assert.deepEqual(await mine.validateAction('check-in'), { valid: true });
  const verdict = await mine.validateAction('check-in', { description: 5 }, { node: SITES });
  assert.ok(!verdict.valid);
  assert.deepEqual(
    verdict.faults.map(({ pointer }) => pointer),
    ['', '/parameterValues/description'],
  );
  const unknown = await mine.validateAction('of my own/ä');
  assert.ok(!unknown.valid);
  assert.match(unknown.faults[0]?.message ?? '', /no action "of my own\/ä"/);
});

test('a validation that cannot be made is thrown', async (t) => {
  const { url } = await startTestService(t);
  const mine = new Client(url).withTicket(await logIn(url));
  await refusedWith('node_not_found', mine.validateAction('copy', {}, { node: `${SITES}-gone` }));
  await assert.rejects(mine.validateAction('copy', {}, { node: 'sites' }), /"sites" is no node: write one/);
  await mine.logout();
  await refusedWith('authentication_needed', mine.validateAction('copy'));
});

test('a 422 that is none of this API is no verdict, and a 422 to another call is a refusal', async (t) => {
  const { url } = await scripted(t, json({ error: 'unprocessable' }, 422), json([], 422));
  const mine = new Client(url).withTicket('TICKET_x');
  await assert.rejects(mine.validateAction('copy'), Unreadable);
  assert.equal((await refusedWith('unnamed', mine.actionDefinitions())).status, 422);
});

test('constraints are listed, and one is shown by its name', async (t) => {
  const { url } = await startTestService(t);
  const mine = new Client(url).withTicket(await logIn(url));
  const all = await mine.constraints();
  const one = await mine.constraint('ac-content-properties', { language: 'de' });
  assert.deepEqual(
    one.values.map(({ value }) => value),
    ['MIME_TYPE', 'ENCODING', 'SIZE'],
  );
  assert.ok(all.some(({ name }) => name === one.name));
  await refusedWith('constraint_not_found', mine.constraint('nothing'));
});
