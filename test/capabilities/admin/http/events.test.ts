import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Event } from '../../../../src/core/domain/event.ts';
import { startTestService, type TestService } from '../../../service/start.ts';
import { asked } from './asked.ts';

// Not older than events are kept.
const AT = Date.now() - 3_600_000;

const append = ({ store }: TestService, events: readonly Partial<Event>[]) =>
  store.write(async (unit) => {
    for (const event of events) await unit.events.append({ at: AT, kind: 'unlock', ...event });
  });

async function users(service: TestService, query: string): Promise<unknown[]> {
  const { status, body } = await asked(service, `/events?${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.items.map(({ user }: { user: unknown }) => user);
}

test('events are listed latest first, page by page, with all that is known of them', async (t) => {
  const service = await startTestService(t);
  const digest = '0a1b2c3d';
  await append(service, [
    { user: 'ann', actor: 'admin', from: '10.0.0.7', digest, reason: 'all' },
    { user: 'bob', at: AT + 2 },
    { user: 'cem', at: AT + 1 },
  ]);
  const until = `until=${new Date(AT + 1_000).toISOString()}`;
  const seen: unknown[] = [];
  let cursor = '';
  for (let more = true; more; ) {
    const { body } = await asked(service, `/events?${until}&limit=1&cursor=${cursor}`, {}, 'auditor');
    seen.push(...body.items);
    cursor = body.next ?? '';
    more = cursor !== '';
  }
  const [bob, cem, ann] = seen as { id: number; user: string }[];
  assert.deepEqual([bob?.user, cem?.user, seen.length], ['bob', 'cem', 3]);
  assert.deepEqual(ann, {
    ...{ id: ann?.id, at: new Date(AT).toISOString(), kind: 'unlock', user: 'ann', actor: 'admin' },
    ...{ from: '10.0.0.7', ticket: digest, reason: 'all', count: 1 },
  });
});

test('events are filtered by user, kind, address and time', async (t) => {
  const service = await startTestService(t);
  await append(service, [
    { user: 'ann', kind: 'lock', from: '10.0.0.7' },
    { user: 'bob', kind: 'lock', from: '10.0.0.8', at: AT + 1_000 },
    { user: 'ann', kind: 'unlock', from: '10.0.0.8', at: AT + 2_000 },
  ]);
  const at = (more: number) => new Date(AT + more).toISOString();
  assert.deepEqual(await users(service, 'user=ANN'), ['ann', 'ann']);
  assert.deepEqual(await users(service, 'user=ann&kind=lock'), ['ann']);
  assert.deepEqual(await users(service, 'kind=lock'), ['bob', 'ann']);
  assert.deepEqual(await users(service, 'from=10.0.0.8'), ['ann', 'bob']);
  assert.deepEqual(await users(service, `since=${at(1_000)}&until=${at(2_000)}`), ['bob']);
  assert.deepEqual(await users(service, `since=${at(0)}&until=${at(1_000)}&user=`), ['ann']);
});

test('events are listed in the order of time when asked for, with the same filters', async (t) => {
  const service = await startTestService(t);
  await append(service, [
    { user: 'ann', kind: 'lock', from: '10.0.0.7', at: AT + 2_000 },
    { user: 'bob', kind: 'lock', from: '10.0.0.8', at: AT + 1_000 },
    { user: 'cem', from: '10.0.0.8' },
  ]);
  const at = (more: number) => new Date(AT + more).toISOString();
  const until = `until=${at(3_000)}`;
  assert.deepEqual(await users(service, `order=oldest-first&${until}`), ['cem', 'bob', 'ann']);
  assert.deepEqual(await users(service, `order=oldest-first&since=${at(1_000)}&${until}`), ['bob', 'ann']);
  assert.deepEqual(await users(service, 'order=oldest-first&kind=lock'), ['bob', 'ann']);
  assert.deepEqual(await users(service, 'order=oldest-first&from=10.0.0.8'), ['cem', 'bob']);
  assert.deepEqual(await users(service, 'order=oldest-first&user=ann'), ['ann']);
  const { body } = await asked(service, '/events?order=oldest-first&limit=2');
  assert.deepEqual(await users(service, `order=oldest-first&limit=1&cursor=${body.next}`), ['ann']);
  const last = await asked(service, `/events?order=oldest-first&limit=1&until=${at(500)}`);
  assert.deepEqual([last.body.items.length, last.body.next], [1, undefined]);
  const other = await asked(service, `/events?cursor=${body.next}`);
  assert.deepEqual([other.status, other.body.code], [400, 'cursor_invalid']);
});

test('a program reads every event once, in an order in which none follows later', async (t) => {
  const service = await startTestService(t);
  const page = async (cursor: string) => {
    const query = `order=as-recorded&kind=unlock&limit=2&cursor=${cursor}`;
    const { body } = await asked(service, `/events?${query}`, {}, 'auditor');
    return body as { items: { user: string }[]; next: string };
  };
  const seen: string[] = [];
  let cursor = '';
  const readOn = async () => {
    for (let last: string | undefined; last !== cursor; ) {
      last = cursor;
      const { items, next } = await page(cursor);
      seen.push(...items.map(({ user }) => user));
      cursor = next;
    }
  };
  await append(service, [
    { user: 'ann', at: AT + 2 },
    { user: 'bob' },
    { kind: 'lock' },
    { user: 'cem', at: AT + 1 },
  ]);
  await readOn();
  assert.deepEqual(seen, ['ann', 'bob', 'cem']);
  await append(service, [{ user: 'dan', at: AT - 1 }]);
  await readOn();
  assert.deepEqual(seen, ['ann', 'bob', 'cem', 'dan']);
});

test('where names differ by case, the events of one spelling are listed', async (t) => {
  const service = await startTestService(t, { TESSERA_NAMES_CASE_SENSITIVE: 'true' });
  await append(service, [{ user: 'ann' }, { user: 'Ann' }]);
  assert.deepEqual(await users(service, 'user=Ann'), ['Ann']);
});

test('a filter that is wrong is refused with a sentence that says what it may be', async (t) => {
  const service = await startTestService(t);
  for (const [query, said] of [
    ['kind=birthday', /kind \(birthday is none: the reference lists all\)/],
    ['since=yesterday', /since \(a date and time such as 2026-01-31T08:00:00Z/],
    ['until=2026-02-30T00:00:00Z', /until \(a date and time/],
    ['until=2016-12-31T23:59:60Z', /until \(a date and time/],
    ['limit=1001', /limit \(how many items a page has at most, a whole number from 1 to 1000/],
  ] as const) {
    const { status, body } = await asked(service, `/events?${query}`);
    assert.deepEqual([status, body.code], [400, 'argument_invalid'], query);
    assert.match(body.detail, said);
  }
});
