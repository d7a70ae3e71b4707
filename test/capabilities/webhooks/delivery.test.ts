import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { openMemory } from '../../engines/memory/open.ts';
import { PASSWORD, startTestService, type TestService } from '../../service/start.ts';
import { until } from '../../service/until.ts';
import { isSigned, OTHER_SECRET, readingOf, SECRET, startReceiver, webhooksDocument } from './receiver.ts';

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

const logIn = async ({ url }: TestService, password = PASSWORD) => {
  const body = JSON.stringify({ username: 'admin', password });
  const response = await fetch(`${url}/alfresco/service/api/login`, { method: 'POST', body });
  return (await response.json()) as { data: { ticket: string } };
};
const states = ({ store }: TestService) => store.read(({ webhooks }) => webhooks.list());
const got = (receiver: Receiver, most: number) =>
  until(`${most} messages`, () => receiver.received.length >= most);

/** A service with these receivers, in memory, whose clock moves only as the test moves it. */
async function started(t: TestContext, ...receivers: readonly object[]) {
  const file = await webhooksDocument(t, ...receivers.map((each) => ({ secrets: [SECRET], ...each })));
  const service = await startTestService(t, { TESSERA_WEBHOOKS: file }, openMemory);
  service.stopClock();
  return { service, file };
}

test('an event is delivered with good signatures, and says nothing of its ticket', async (t) => {
  const receiver = await startReceiver(t);
  const { service, file } = await started(t, { id: 'siem', url: receiver.url, kinds: ['login'] });
  const { data } = await logIn(service);
  await logIn(service, 'wrong');
  await got(receiver, 1);
  const [message = assert.fail()] = receiver.received;
  assert.ok(isSigned(message, SECRET));
  assert.equal(message.headers['content-type'], 'application/json');
  assert.match(`${message.headers['webhook-id']}`, /^evt_[0-9a-f]+_\d+$/);
  const { type, data: event } = readingOf(message);
  assert.equal(type, 'event.login');
  assert.deepEqual([event.kind, event.user, event.from, event.count], ['login', 'admin', '127.0.0.1', 1]);
  assert.doesNotMatch(message.body, new RegExp(`${data.ticket}|digest|ticket|${PASSWORD}`));
  await until('the delivery is done', async () => (await states(service))[0]?.waiting === 0);

  writeFileSync(
    file,
    JSON.stringify({ webhooks: [{ id: 'siem', url: receiver.url, secrets: [OTHER_SECRET, SECRET] }] }),
  );
  service.reload();
  await until('all kinds are wanted', async () => (await states(service))[0]?.kinds.length === 0);
  await logIn(service, 'wrong');
  await got(receiver, 2);
  const [, rotated = assert.fail()] = receiver.received;
  assert.equal(readingOf(rotated).type, 'event.login_refused');
  assert.ok(isSigned(rotated, SECRET) && isSigned(rotated, OTHER_SECRET));
  const delivered = /tessera_webhook_attempts_total\{receiver="siem",outcome="delivered"\} 2/;
  // The receiver has a message before the service has its answer.
  await until('both are counted', async () => delivered.test(await service.watched.metrics.text()));
  assert.doesNotMatch(service.lines.join(), new RegExp(`whsec_|${SECRET.slice(6, 20)}`));
});

test('a message that is not taken comes again with the same id, after the wait that its schedule or the receiver says', async (t) => {
  const answers = [500, 429, 200];
  const receiver = await startReceiver(t, (n, _request, response) => {
    response.writeHead(answers[n] ?? 200, n === 1 ? { 'retry-after': '3600' } : {}).end();
  });
  const { service } = await started(t, { id: 'siem', url: receiver.url, kinds: ['login'] });
  await logIn(service);
  await got(receiver, 1);
  const { store } = service;
  const due = async () => (await store.read(({ webhooks }) => webhooks.due(Date.now() + 7_000))).length;
  await until('it is due again', async () => (await due()) === 1);
  service.shiftClock(7_000);
  await got(receiver, 2);
  await until('the fault is told', async () => (await states(service))[0]?.lastFault?.why === 'answered 429');
  service.shiftClock(3_000_000);
  assert.deepEqual(await store.read(({ webhooks }) => webhooks.due(Date.now() + 3_000_000)), []);
  service.shiftClock(700_000);
  await got(receiver, 3);
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1);
  assert.ok(receiver.received.every((each) => isSigned(each, SECRET)));
  await until('it is delivered', async () => (await states(service))[0]?.waiting === 0);
});

test('the last delivery is noted once a minute, and at once after a failure', async (t) => {
  const receiver = await startReceiver(t, (n, _request, response) => {
    response.writeHead(n === 2 ? 500 : 204).end();
  });
  const { service } = await started(t, { id: 'siem', url: receiver.url, kinds: ['login'] });
  const state = async () => (await states(service))[0];
  const settled = (n: number) =>
    until(
      `${n} messages are settled`,
      async () => receiver.received.length === n && (await state())?.waiting === 0,
    );
  await logIn(service);
  await settled(1);
  const first = (await state())?.deliveredAt ?? assert.fail();
  service.shiftClock(30_000);
  await logIn(service);
  await settled(2);
  assert.equal((await state())?.deliveredAt, first);
  await logIn(service);
  await until('the fault is told', async () => (await state())?.lastFault !== undefined);
  service.shiftClock(7_000);
  await settled(4);
  assert.equal((await state())?.deliveredAt, first + 37_000);
  service.shiftClock(60_000);
  await logIn(service);
  await settled(5);
  assert.equal((await state())?.deliveredAt, first + 97_000);
});

test('the tenth failure makes a dead delivery, which the log and the metrics tell', async (t) => {
  const receiver = await startReceiver(
    t,
    (_n, _request, response) => void response.writeHead(302, { location: '/' }).end(),
  );
  const { service } = await started(t, { id: 'siem', url: receiver.url, kinds: ['login'] });
  await logIn(service);
  let failedAt: number | undefined;
  for (let n = 1; n <= 10; n += 1) {
    await got(receiver, n);
    await until('its outcome is written', async () => (await states(service))[0]?.lastFault?.at !== failedAt);
    const [state] = await states(service);
    failedAt = state?.lastFault?.at;
    assert.deepEqual([state?.waiting, state?.dead], n < 10 ? [1, 0] : [0, 1]);
    service.shiftClock(30 * 3_600_000);
  }
  assert.equal(receiver.received.length, 10, 'no redirection is followed');
  assert.match(service.lines.join('\n'), /"fault":"answered 302".*delivery given up/);
  const authorization = `Bearer ${await service.addApiKey('operator')}`;
  const answer = await fetch(`${service.url}/api/admin/webhooks`, { headers: { authorization } });
  const text = await answer.text();
  const [{ id, waiting, dead, lastFault } = assert.fail()] = JSON.parse(text).items;
  assert.deepEqual([id, waiting, dead, lastFault], ['siem', 0, 1, 'answered 302']);
  assert.ok(!text.includes(receiver.url) && !text.includes('whsec_'));
});

test('a receiver that answers 410 gets nothing more', async (t) => {
  const receiver = await startReceiver(t, (_n, _request, response) => void response.writeHead(410).end());
  const { service } = await started(t, { id: 'siem', url: receiver.url, kinds: ['login'] });
  await logIn(service);
  await until('it is gone', async () => (await states(service))[0]?.goneAt !== undefined);
  await logIn(service);
  const [state] = await states(service);
  assert.equal(state?.waiting, 1);
  assert.match(
    service.lines.join('\n'),
    /receiver of webhooks is gone: 'tessera webhooks replay siem' resumes it/,
  );
});

test('a receiver that does not answer holds up no other one, and a stop gives back the deliveries on their way', async (t) => {
  const silent = await startReceiver(t, () => undefined);
  const prompt = await startReceiver(t);
  const { service } = await started(
    t,
    { id: 'silent', url: silent.url, kinds: ['login'] },
    { id: 'prompt', url: prompt.url, kinds: ['login'] },
  );
  for (let n = 0; n < 12; n += 1) await logIn(service);
  await got(prompt, 12);
  await got(silent, 8);
  const { store } = service;
  await service.stop();
  assert.equal(silent.received.length, 8, 'eight at a time');
  await assert.rejects(store.read(async () => 1));
});

test('a start with a faulty document is refused, and one without webhooks removes the receivers', async (t) => {
  const broken = await webhooksDocument(t, { id: 'siem', url: 'x' });
  await assert.rejects(startTestService(t, { TESSERA_WEBHOOKS: broken }, openMemory), /is no URL/);
  const store = openMemory();
  await store.write(({ webhooks }) => webhooks.setReceivers([{ id: 'siem', kinds: [] }]));
  const service = await startTestService(t, {}, () => store);
  assert.deepEqual(await states(service), []);
  assert.match(service.lines.join('\n'), /receiver of webhooks removed: TESSERA_WEBHOOKS is not set/);
});
