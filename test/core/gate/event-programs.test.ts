import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventKind, RecordedEvent } from '../../../src/core/domain/event.ts';
import { PASSWORD, startTestService, type TestService } from '../../service/start.ts';
import { ask, basic } from '../../service/talk.ts';
import { until } from '../../service/until.ts';

const events = ({ store }: TestService) => store.read((unit) => unit.events.list({}));
const JSON_BODY = { 'content-type': 'application/json' };

/** The events of this kind, once there are so many. */
async function eventsOf(service: TestService, kind: EventKind, number = 1): Promise<RecordedEvent[]> {
  const found = async () => (await events(service)).filter((event) => event.kind === kind);
  await until(kind, async () => (await found()).length >= number);
  return found();
}

const sentBy = (program: string) => ({ headers: { ...JSON_BODY, 'user-agent': program } });

/** A login over HTTP, as JSON. */
const logInBy = ({ url }: TestService, program: string, password = PASSWORD, username = 'ann') =>
  ask(`${url}/api/login`, {
    ...sentBy(program),
    method: 'POST',
    body: JSON.stringify({ username, password }),
  });

async function ticketBy(service: TestService, program: string): Promise<string> {
  const { text } = await logInBy(service, program);
  return JSON.parse(text).data.ticket;
}

test('an event names the program of its call, and one that no call caused names none', async (t) => {
  const service = await startTestService(t);
  await service.addUser('ann');
  const { url } = service;
  const ticket = await ticketBy(service, 'log-in/1');
  await logInBy(service, 'guess/1', 'wrong');
  const withPassword = { ...basic(`ann:${PASSWORD}`), 'user-agent': 'basic/1' };
  await ask(`${url}/api/rules/actiondefs`, { headers: withPassword });
  await ask(`${url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`, {
    ...sentBy('log-out/1'),
    method: 'DELETE',
  });
  await ask(`${url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`, sentBy('late/1'));
  await ask(`${url}/api/admin/status`, {
    headers: { authorization: 'Bearer tsk_guessed-key', 'user-agent': 'key/1' },
  });
  const programs: Partial<Record<EventKind, string>> = {
    login: 'log-in/1',
    'login-refused': 'guess/1',
    'password-accepted': 'basic/1',
    logout: 'log-out/1',
    'ticket-refused': 'late/1',
    'api-key-refused': 'key/1',
  };
  for (const [kind, program] of Object.entries(programs)) {
    const [event, ...more] = await eventsOf(service, kind as EventKind);
    assert.deepEqual([event?.program, more.length], [program, 0], kind);
  }
  const [first] = await eventsOf(service, 'user-added');
  assert.equal(first?.program, undefined, 'an event of no call');
});

test('an event of an administrator names the program, and the API shows it', async (t) => {
  const service = await startTestService(t);
  const key = await service.addApiKey('administrator');
  const { authorization } = { authorization: `Bearer ${key}` };
  const headers = { ...JSON_BODY, authorization, 'user-agent': 'provisioner/2.1 (cron)' };
  const body = JSON.stringify({ userName: 'ben', password: PASSWORD });
  assert.equal((await ask(`${service.url}/api/admin/users`, { method: 'POST', headers, body })).status, 201);
  const { text } = await ask(`${service.url}/api/admin/events?user=ben`, { headers });
  const [event] = JSON.parse(text).items;
  assert.deepEqual([event.kind, event.program], ['user-added', 'provisioner/2.1 (cron)']);
});

test('a counted event names its program only while all calls have the same', async (t) => {
  const service = await startTestService(t);
  // Not at the end of a minute.
  service.shiftClock(60_000 - (Date.now() % 60_000) + 5_000);
  const ask404 = (program: string) =>
    ask(`${service.url}/api/login/ticket/x?alf_ticket=TICKET_${'0'.repeat(40)}`, sentBy(program));
  const counted = async (count: number) => {
    const total = async () => (await eventsOf(service, 'ticket-refused'))[0];
    await until(`${count} refusals`, async () => (await total())?.count === count);
    return (await total())?.program;
  };
  for (let n = 0; n < 2; n += 1) await ask404('one/1');
  assert.equal(await counted(2), 'one/1');
  await ask404('another/1');
  assert.equal(await counted(3), undefined);
  await ask404('one/1');
  assert.equal(await counted(4), undefined);
});

test('a User-Agent is kept in events and tickets up to 200 characters, with secrets masked; none is no program', async (t) => {
  const service = await startTestService(t);
  await service.addUser('ann');
  const secret = `TICKET_${'5ec2e7'.repeat(6)}5ec2`;
  const sent = [
    '',
    'x'.repeat(300),
    `curl/8 ${secret} Bearer ${'s3cr3t'.repeat(3)}`,
    `${'y'.repeat(190)} ${secret}`,
  ];
  for (const program of sent) assert.equal((await logInBy(service, program)).status, 200);
  const kept = [undefined, 'x'.repeat(200), 'curl/8 TICKET_*** Bearer ***', `${'y'.repeat(190)} TICKET_**`];
  assert.deepEqual(
    (await eventsOf(service, 'login', sent.length)).map(({ program }) => program),
    kept,
  );
  const programs = await service.store.read(async ({ users, tickets }) => {
    const { id = 0 } = (await users.findByKey('ann')) ?? {};
    const origins = await tickets.originsOf(await tickets.listOf(id));
    return origins.map((origin) => origin?.program);
  });
  assert.deepEqual(programs.toSorted(), kept.toSorted());
});
