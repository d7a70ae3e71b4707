import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Event, minuteOf } from '../../../src/core/domain/event.ts';
import { RowLimiter } from '../../../src/core/gate/write-buffer.ts';

const MINUTE = 60_000;
const DEAD = { kind: 'ticket-refused', reason: 'unknown' } as const;

const keyOf = ({ at, kind, user, from, reason }: Event) => [minuteOf(at), kind, user, from, reason].join(' ');

/** How often each row is counted for these events. */
function rowsOf(limiter: RowLimiter, events: Iterable<Event>): Map<string, number> {
  const rows = new Map<string, number>();
  for (const event of events) {
    const key = keyOf(limiter.rowOf(event));
    rows.set(key, (rows.get(key) ?? 0) + 1);
  }
  return rows;
}

const sum = (rows: ReadonlyMap<string, number>) => [...rows.values()].reduce((all, one) => all + one, 0);

/** Dead tickets, each from another IPv6 address, `hosts` of them in each of `sites`. */
function* deadFrom(sites: number, hosts: number, at = 0): Generator<Event> {
  for (let site = 0; site < sites; site += 1)
    for (let host = 0; host < hosts; host += 1)
      yield { ...DEAD, at, from: `2001:db8:${site.toString(16)}:${host.toString(16)}::/64` };
}

test('the rows of a minute are limited, and the counts lose nothing', () => {
  const rows = rowsOf(new RowLimiter(), deadFrom(2_000, 5));
  assert.equal(rows.size, 1_000 + 500 + 1);
  assert.equal(sum(rows), 10_000);
  assert.equal(rows.get('0 ticket-refused  2001:db8:c8::/48 unknown'), 5, 'by network beyond 1,000 rows');
  assert.equal(
    rows.get('0 ticket-refused   unknown'),
    10_000 - 1_000 - 500 * 5,
    'together above 500 networks',
  );
});

test('random names have the same limit, and IPv4 addresses count by /24', () => {
  const names = Array.from({ length: 3_000 }, (_, n): Event => {
    return { at: 1, kind: 'login-refused', reason: 'waiting', user: `n${n}`, from: `192.0.2.${n % 250}` };
  });
  const rows = rowsOf(new RowLimiter(), names);
  assert.equal(rows.size, 1_001);
  assert.equal(rows.get('0 login-refused  192.0.2.0/24 waiting'), 2_000);
});

test('a row that exists is still counted above the limit', () => {
  const limiter = new RowLimiter();
  const first: Event = { ...DEAD, at: 0, user: 'ada', from: '192.0.2.1' };
  rowsOf(limiter, [first, ...deadFrom(2_000, 1)]);
  assert.deepEqual(limiter.rowOf(first), first);
});

test('the next minute begins anew, and a clock that steps back does not', () => {
  const limiter = new RowLimiter();
  assert.equal(rowsOf(limiter, deadFrom(2_000, 1, 0)).size, 1_501);
  assert.equal(rowsOf(limiter, deadFrom(2_000, 1, MINUTE)).size, 1_501);
  assert.equal(rowsOf(limiter, deadFrom(2_000, 1, 0)).size, 1);
});

test('events without an address are counted together above the limit', () => {
  const limiter = new RowLimiter();
  rowsOf(limiter, deadFrom(2_000, 1));
  assert.deepEqual(limiter.rowOf({ ...DEAD, at: 0, user: 'ada' }), { ...DEAD, at: 0 });
});
