import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Visitor } from '../../../faces/pages/browse.ts';
import { attributeOf, elementsOf, textOf } from '../../../faces/pages/markup.ts';
import { startTestService, type TestService } from '../../../service/start.ts';
import { pageOf, signedInAs } from './staff.ts';

const START = '/portal/console';
const HOUR = 3_600_000;

/** The rows of the table with this caption: the texts of their cells. */
function rowsOf(text: string, caption: string): string[][] {
  const child = ({ childNodes }: ReturnType<typeof elementsOf>[number], name: string) =>
    childNodes.find(({ nodeName }) => nodeName === name);
  const table = elementsOf(text).find((each) => {
    const named = each.tagName === 'table' ? child(each, 'caption') : undefined;
    return named !== undefined && textOf(named) === caption;
  });
  const body = table && child(table, 'tbody');
  assert.ok(body && 'childNodes' in body, `a table ${caption}`);
  return body.childNodes.map((row) =>
    'childNodes' in row ? row.childNodes.map((cell) => textOf(cell)) : [],
  );
}

const saidByPlots = (text: string) =>
  elementsOf(text)
    .filter((element) => attributeOf(element, 'class') === 'plot')
    .map((svg) => attributeOf(svg, 'aria-label'));

/** Events of the past: three sign-ins two hours ago, a refused one now, and one sign-in two days ago. */
async function withPast({ store }: TestService): Promise<void> {
  const now = Date.now();
  await store.write(async ({ events }) => {
    for (const at of [now - 2 * HOUR, now - 2 * HOUR, now - 2 * HOUR, now - 48 * HOUR])
      await events.append({ at, kind: 'login', user: 'ann' });
    await events.append({ at: now, kind: 'login-refused', user: 'a<b>', reason: 'wrong-password' });
  });
}

test('an auditor sees sign-ins and refusals as plots with their numbers, and the newest refusals', async (t) => {
  const service = await startTestService(t);
  const visitor = await signedInAs(service, 'auditor');
  await withPast(service);
  const text = await pageOf(visitor, START);
  assert.deepEqual(saidByPlots(text), [
    'Last 24 hours: 4 signed in, 1 refused',
    'Last 7 days: 5 signed in, 1 refused',
  ]);
  const bars = elementsOf(text)
    .filter(({ tagName, parentNode }) => tagName === 'title' && parentNode?.nodeName === 'g')
    .map((title) => textOf(title));
  for (const said of ['this hour: 1 signed in, 1 refused', '2 hours ago: 3 signed in, 0 refused'])
    assert.ok(bars.includes(said), said);
  const hours = rowsOf(text, 'Last 24 hours');
  assert.equal(hours.length, 24);
  assert.deepEqual(hours[0]?.slice(1), ['1', '1'], 'the own sign-in, and the refusal');
  assert.deepEqual(hours[2]?.slice(1), ['3', '0']);
  assert.equal(rowsOf(text, 'Last 7 days').length, 7);
  assert.deepEqual(
    rowsOf(text, 'Newest refused sign-ins').map(([, user]) => user),
    ['a<b>'],
  );
  assert.ok(!text.includes('<b>') && !text.includes('Server') && !text.includes('lock-outs'));
});

test('an operator also sees who is locked out, the queue, the storage and the version', async (t) => {
  const service = await startTestService(t, { TESSERA_THROTTLE_AFTER: '1' });
  service.stopClock();
  await service.addUser('bob');
  await new Visitor(service).post('/portal/login', { username: 'bob', password: 'wrong' });
  const visitor = await signedInAs(service, 'operator');
  const text = await pageOf(visitor, START);
  assert.deepEqual(
    rowsOf(text, 'Locked out or waiting').map(([user]) => user),
    ['bob'],
  );
  const facts = elementsOf(text)
    .filter(({ tagName }) => tagName === 'dd')
    .map((each) => textOf(each));
  for (const wanted of ['SQLite', /^Tessera \d/, /UTC$/])
    assert.ok(
      facts.some((each) => (typeof wanted === 'string' ? each === wanted : wanted.test(each))),
      String(wanted),
    );
  const figures = elementsOf(text)
    .filter((each) => attributeOf(each, 'class') === 'card figure')
    .map((each) => textOf(each));
  assert.ok(figures.includes('Sign-ins in the queue0') && figures.includes('Users3'), String(figures));
});

test('the overview speaks German, and needs a role', async (t) => {
  const service = await startTestService(t);
  const visitor = await signedInAs(service, 'auditor');
  const text = await pageOf(visitor, START, 'de');
  assert.match(text, /Letzte 7 Tage: 1 angemeldet, 0 abgelehnt/);
  assert.match(text, /Keine Anmeldung wurde abgelehnt\./);
  await service.addUser('ann');
  const ann = new Visitor(service);
  await ann.signIn('ann');
  assert.equal((await ann.get(START)).status, 403);
});
