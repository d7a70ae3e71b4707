import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LatestEvents } from '../../../src/core/storage/events.ts';
import { COUNTS_OF_EVENTS } from '../../../src/engines/sql/events-sql.ts';
import { databaseIn } from '../../../src/engines/sqlite/data-folder.ts';
import { eventsOn } from '../../../src/engines/sqlite/events.ts';
import { SqliteStatements } from '../../../src/engines/sqlite/units.ts';
import { temporaryFolder } from '../../service/start.ts';
import { openSqlite } from '../../service/stores.ts';
import { RecordingDatabase } from './recording-database.ts';

/** Filters, and the part of the plan that says how each finds the events. */
const FOUND_BY: readonly (readonly [Omit<LatestEvents, 'limit'>, RegExp])[] = [
  [{}, /events_by_time/],
  [{ kind: 'lock' }, /events_of_kind \(kind=\?/],
  [{ kind: ['lock', 'unlock'] }, /events_of_kind \(kind=\?/],
  [{ user: 'ann' }, /events_of_user \(user_key=\? AND kind=\?/],
  [{ user: 'ann', kind: 'lock' }, /events_of_user \(user_key=\? AND kind=\?/],
  [{ user: 'ann', from: '192.0.2.1' }, /events_of_user \(user_key=\? AND kind=\?/],
  [{ from: '192.0.2.1' }, /events_from \(place=\? AND kind=\?/],
  [{ from: '192.0.2.1', kind: 'lock' }, /events_from \(place=\? AND kind=\?/],
];

test('each list or count of events reads an index that holds its whole filter, and no more is sorted than the limit', async (t) => {
  const folder = await temporaryFolder(t);
  await openSqlite(folder).close();
  using db = new RecordingDatabase(databaseIn(folder));
  const events = eventsOn(new SqliteStatements(db));
  const place = { at: 5, id: 5 };
  const windows = [{}, { since: 1 }, { since: 1, until: 9 }, { before: place }, { since: 1, before: place }];
  const planOf = (sql: string) =>
    db
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => String(detail));
  const plansOf = async (ask: () => Promise<unknown>) => {
    db.statements = [];
    await ask();
    assert.equal(db.statements.length, 1);
    return planOf(db.statements[0] as string);
  };
  for (const [filter, index] of FOUND_BY)
    for (const window of windows) {
      const plan = await plansOf(() => events.latest({ ...filter, ...window, limit: 10 }));
      const reads = plan.filter((step) => / events /.test(step));
      for (const step of reads) assert.match(step, index, JSON.stringify({ ...filter, ...window }));
      if (reads.length === 1) assert.ok(!plan.join().includes('TEMP B-TREE'), plan.join());
      assert.ok(!plan.join().includes('LAST TERM'), plan.join());
    }
  for (const [filter, index] of [FOUND_BY[0], FOUND_BY[3]] as (typeof FOUND_BY)[number][]) {
    const plan = await plansOf(() => events.list({ ...filter, after: place, limit: 10 } as object));
    for (const step of plan.filter((each) => / events /.test(each))) assert.match(step, index);
  }
  const plan = planOf(COUNTS_OF_EVENTS);
  const reads = plan.filter((step) => / (events|e) /.test(step));
  for (const step of reads) assert.match(step, /events_of_kind \(kind=\? AND|events_counted \(minute/);
  // From one minute with tallies to the next one, instead of each minute of a month.
  assert.ok(
    plan.some((step) => /events_counted \(minute>\?\)/.test(step)),
    plan.join('; '),
  );
});
