import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { EVENT_KINDS, type Event } from '../../../../src/core/domain/event.ts';
import { eventKindText, eventReasonText } from '../../../../src/faces/pages/event-texts.ts';
import { LANGUAGES, sayIn } from '../../../../src/faces/pages/texts/texts.ts';
import { formOn, Visitor } from '../../../faces/pages/browse.ts';
import { attributeOf, onlyElement } from '../../../faces/pages/markup.ts';
import { readPage } from '../../../faces/pages/read-page.ts';
import { startTestService, type TestService } from '../../../service/start.ts';
import { until } from '../../../service/until.ts';
import { pageOf, signedInAs } from './staff.ts';

const EVENTS = '/portal/console/events';
const at = Date.UTC(2026, 0, 31, 8);

const append = ({ store }: TestService, ...events: Partial<Event>[]) =>
  store.write(async (unit) => {
    for (const event of events) await unit.events.append({ at, kind: 'unlock', ...event });
  });

/** The texts of the cells of each row. */
const rowsIn = (text: string) => readPage(text).rows;

const tailOf = (page: string) =>
  attributeOf(onlyElement(page, 'tbody'), 'data-tail-url') ?? assert.fail('no tail');

test('each kind of events has a name of its own in each language', () => {
  for (const language of LANGUAGES) {
    const names = EVENT_KINDS.map((kind) => eventKindText(sayIn(language), kind));
    assert.deepEqual(names.length, new Set(names).size, language);
  }
});

test('a reason that is a word of the service is said in plain words, and a name is left as it is', () => {
  const say = sayIn('en');
  const wrong = { kind: 'login-refused', reason: 'wrong-password' } as const;
  assert.equal(eventReasonText(say, wrong), 'wrong password');
  assert.equal(eventReasonText(sayIn('de'), wrong), 'falsches Passwort');
  const byTicket = { kind: 'logout', reason: 'by ticket c0ffee00' } as const;
  assert.equal(eventReasonText(say, byTicket), 'by ticket c0ffee00');
  assert.equal(eventReasonText(sayIn('de'), byTicket), 'durch Ticket c0ffee00');
  const revoked = { kind: 'ticket-revoked', reason: 'by ticket c0ffee00' } as const;
  assert.equal(eventReasonText(sayIn('de'), revoked), 'durch Ticket c0ffee00');
  const needsRole = { kind: 'role-refused', reason: 'it needs auditor' } as const;
  assert.equal(eventReasonText(sayIn('de'), needsRole), 'nötig ist die Rolle Auditor');
  assert.equal(eventReasonText(say, { kind: 'group-added', reason: 'disabled' }), 'disabled');
  assert.equal(eventReasonText(say, { kind: 'ticket-revoked', reason: 'locked' }), 'locked');
  assert.equal(eventReasonText(say, { kind: 'login', reason: undefined }), undefined);
  assert.equal(eventReasonText(say, { kind: 'profile-changed', reason: 'toString' }), 'toString');
});

test('an auditor reads events as rows, the latest first, and every text in them is escaped', async (t) => {
  const service = await startTestService(t);
  const visitor = await signedInAs(service, 'auditor');
  const event = {
    kind: 'login-refused',
    from: '192.0.2.7',
    program: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    reason: 'wrong-password',
    digest: 'c0ffee00',
  } as const;
  await append(
    service,
    { ...event, at: at - 1, user: 'a<b>&' },
    { kind: 'lock', user: 'bob', actor: 'key:"x', program: '"><b>script' },
  );
  const text = await pageOf(visitor, `${EVENTS}?until=2026-01-31T08:01`);
  assert.deepEqual(rowsIn(text), [
    ['Jan 31, 2026, 8:00:00 AM UTC', 'Locked', 'bob', '', 'Unknown program', 'by key:"x'],
    [
      'Jan 31, 2026, 7:59:59 AM UTC',
      'Sign-in refused',
      'a<b>&',
      '192.0.2.7',
      'Firefox on Linux',
      'wrong password · ticket c0ffee00',
    ],
  ]);
  assert.ok(
    !text.includes('<b>') && !text.includes('console/users'),
    'no markup, and no page that the role may not open',
  );
  const german = rowsIn(await pageOf(visitor, `${EVENTS}?until=2026-01-31T08:01`, 'de'));
  assert.deepEqual(german[1]?.slice(1), [
    'Anmeldung abgelehnt',
    'a<b>&',
    '192.0.2.7',
    'Firefox unter Linux',
    'falsches Passwort · Ticket c0ffee00',
  ]);
});

test('a download of events names the programs as they were sent, and what a spreadsheet would run is text', async (t) => {
  const service = await startTestService(t);
  const visitor = await signedInAs(service, 'auditor');
  await append(service, { user: 'ann', program: 'curl/8.5.0' }, { user: 'bob', program: '=cmd|calc' });
  const csv = await pageOf(visitor, '/portal/console/downloads/events?until=2026-01-31T08:01:00Z');
  const [header = '', ...lines] = csv.trim().split('\r\n');
  const column = header.split(',').indexOf('"program"');
  assert.deepEqual(
    lines.map((line) => line.split(',')[column]),
    [`"'=cmd|calc"`, '"curl/8.5.0"'],
  );
});

test('names lead an operator to the page of the user, but masked ones', async (t) => {
  const service = await startTestService(t);
  const visitor = await signedInAs(service, 'operator');
  await append(service, { user: 'a/b' }, { user: 'ne… (4 characters)' });
  const text = await pageOf(visitor, `${EVENTS}?until=2026-01-31T08:01`);
  const link = readPage(text).links.find(({ text: name }) => name === 'a/b');
  assert.equal(link?.to, '/portal/console/users/a%2Fb');
  assert.ok(!text.includes('users/ne'));
});

test('the filters stand in the address, in the form and in the links to further pages', async (t) => {
  const service = await startTestService(t);
  const visitor = await signedInAs(service, 'auditor');
  const many = Array.from({ length: 60 }, (_, n) => ({
    user: 'ann',
    from: '192.0.2.7',
    digest: `${n}`,
    at: at + n,
  }));
  await append(
    service,
    ...many,
    { user: 'bob', from: '192.0.2.7' },
    { user: 'ann', kind: 'lock', from: '192.0.2.7' },
  );
  const filtered = `${EVENTS}?user=ann&kind=unlock&from=192.0.2.7&since=2026-01-31T08%3A00&until=2026-01-31T08%3A01`;
  const first = await pageOf(visitor, filtered);
  assert.equal(rowsIn(first).length, 50);
  const filters = Object.values(formOn(first, EVENTS) ?? {});
  for (const value of ['ann', 'unlock', '192.0.2.7', '2026-01-31T08:00:00', '2026-01-31T08:01:00'])
    assert.ok(filters.includes(value), value);
  const second = await pageOf(visitor, readPage(first).next ?? assert.fail('no next page'));
  assert.equal(rowsIn(second).length, 10);
  assert.equal(formOn(second, EVENTS)?.kind, 'unlock');
  assert.equal(readPage(second).next, undefined);
  const refused = await visitor.get(`${EVENTS}?cursor=x`);
  assert.equal(refused.status, 400);
});

test('a list that is empty says what to do', async (t) => {
  const visitor = await signedInAs(await startTestService(t), 'auditor');
  assert.match(
    await pageOf(visitor, `${EVENTS}?user=none-such&until=2026-01-31T08:01`),
    /Remove one of them/,
  );
});

test('the page needs a role: without one it is refused, and without a ticket it leads to the sign-in', async (t) => {
  const service = await startTestService(t);
  await service.addUser('ann');
  const visitor = new Visitor(service);
  for (const path of [EVENTS, `${EVENTS}/stream`]) {
    const to = (await visitor.get(path)).headers.get('location');
    assert.equal(to, `/portal/login?return=${encodeURIComponent(path)}`);
  }
  await visitor.signIn('ann');
  for (const path of [EVENTS, `${EVENTS}/stream`]) assert.equal((await visitor.get(path)).status, 403, path);
});

/** Opens the tail of a page, and gives what it sent so far. */
async function follow(t: TestContext, { url }: TestService, visitor: Visitor, path: string) {
  const left = new AbortController();
  t.after(() => left.abort());
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(url + path, { headers: { cookie }, signal: left.signal });
  let text = '';
  const read = async () => {
    for await (const part of response.body ?? []) text += Buffer.from(part).toString();
  };
  const ended = read().catch(() => undefined);
  await until('its beginning', () => text.includes('retry: '));
  return { type: response.headers.get('content-type'), text: () => text, ended };
}

test('a page is followed live by the cookie, with its filters and from where its list ends', async (t) => {
  const service = await startTestService(t);
  const visitor = await signedInAs(service, 'auditor');
  await append(service, { user: 'before', from: '192.0.2.7' });
  const tail = tailOf(await pageOf(visitor, `${EVENTS}?kind=unlock&from=192.0.2.7`));
  await append(service, { user: 'between', from: '192.0.2.7' });
  const { text, type } = await follow(t, service, visitor, tail);
  assert.equal(type, 'text/event-stream');
  await append(
    service,
    { user: 'other', from: '192.0.2.8' },
    { user: 'other', from: '192.0.2.7', kind: 'lock' },
  );
  await append(service, { user: '<i>', from: '192.0.2.7', program: 'curl/8.5.0' });
  await until('the last row', () => text().includes('&lt;i&gt;'));
  const rows = [...text().matchAll(/^event: rows\ndata: (.+)$/gm)].flatMap(([, data = '']) =>
    rowsIn(`<table>${JSON.parse(data).rows}</table>`),
  );
  assert.deepEqual(rows.map(([, , user]) => user).toSorted(), ['<i>', 'between']);
  assert.deepEqual(rows.map((cells) => cells[4]).toSorted(), ['', 'curl 8.5']);
  assert.ok(!text().includes('<i>'));
});

test('the tail ends when the visitor signs out, and has no place where no new event can pass', async (t) => {
  const service = await startTestService(t);
  const visitor = await signedInAs(service, 'auditor');
  await append(service, ...Array.from({ length: 51 }, (_, n) => ({ at: at + n })));
  const first = await pageOf(visitor, EVENTS);
  const { next = assert.fail('no next page') } = readPage(first);
  for (const path of [`${EVENTS}?until=2026-01-31T08:01`, next])
    assert.ok(!(await pageOf(visitor, path)).includes('data-tail-url'), path);
  const { ended } = await follow(t, service, visitor, tailOf(first));
  await visitor.send('/portal/account', '/portal/logout');
  await ended;
});
