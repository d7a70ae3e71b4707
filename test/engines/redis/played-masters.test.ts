import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Store } from '../../../src/core/storage/store.ts';
import { LostWrites } from '../../../src/engines/redis/lost-writes.ts';
import { keys, type Partition, partitions } from '../../../src/engines/redis/partitions.ts';
import { ErrorReply } from '../../../src/engines/redis/resp.ts';
import type { SendToServer } from '../../../src/engines/redis/target.ts';
import { addUser } from '../../core/storage/conformance/samples.ts';
import { openMemory } from '../memory/open.ts';

const HOUR = 3_600_000;

/** A cluster of which each master is played: it has its partitions, the times in them, and a process that began then. */
function played(clock: () => number) {
  const times = new Map<string, string>();
  const master = (run: string, startedAt: number, ...here: readonly Partition[]) => {
    const send: SendToServer = async ([verb, ...words]) => {
      const uptime = Math.floor((clock() - startedAt) / 1_000);
      if (verb === 'INFO') return `run_id:${run}\r\nuptime_in_seconds:${uptime}\r\naof_enabled:0\r\n`;
      if (verb === 'SCAN') return ['0', []];
      const key = String(verb === 'GET' ? words[0] : words[2]);
      if (!here.some(({ prefix }) => key.startsWith(prefix))) throw new ErrorReply('MOVED 1 127.0.0.1:1');
      const before = times.get(key) ?? null;
      const at = Number.parseInt(before ?? '0', 10);
      // The script that writes the time has two values behind its key, the one that writes a mark begins them with `!`.
      const [now = '', earliest = ''] = words.slice(3).map(String);
      if (verb === 'EVAL' && !now.startsWith('!') && at >= Number(earliest) && at < Number(now))
        times.set(key, `${now} ${run}`);
      return before;
    };
    return { here, send };
  };
  return { times, master };
}

const [p0, p1, p2, p3] = partitions as readonly Partition[] as readonly [
  Partition,
  Partition,
  Partition,
  Partition,
];

/** What is checked against a database in which something was revoked of one user. */
async function checking(beforeRead: () => void = () => undefined) {
  let now = 10 * HOUR;
  const clock = () => now;
  const store = openMemory();
  const sql: Store = {
    ...store,
    read: async (work) => {
      beforeRead();
      return store.read(work);
    },
  };
  const user = await addUser(store, 'ada');
  await store.write((unit) => unit.users.noteRevocation(user.id, 5 * HOUR));
  const ended = () =>
    store.read(async (unit) => ({
      everybody: await unit.tickets.serverGeneration(),
      ada: (await unit.users.find(user.id))?.generation,
    }));
  const pass = (by: number) => {
    now += by;
  };
  return { ...played(clock), lostWrites: new LostWrites(sql, clock), store, ended, pass, user, clock };
}

const NONE = { everybody: 0, ada: 0 };

/** A master whose data goes back to the moment before ada logged out. `fail` is what reads of the database do meanwhile. */
async function goneBack(fail: () => void) {
  const { master, times, lostWrites, store, ended, pass, user, clock } = await checking(fail);
  const { send, here } = master('a', HOUR, ...partitions);
  times.set(keys.beat(p0), `${clock() - 1_000} a`);
  await lostWrites.beat(send, here);
  const saved = [...times];
  pass(500);
  await store.write((unit) => unit.users.noteRevocation(user.id, clock()));
  for (let n = 0; n < 60; n += 1) {
    pass(1_000);
    await lostWrites.beat(send, here);
  }
  assert.deepEqual(await ended(), NONE);
  times.clear();
  for (const [key, time] of saved) times.set(key, time);
  return { beat: () => lostWrites.beat(send, here), ended, pass };
}

test('a log-out that Redis forgets while it runs stays one, however soon it came after the data was saved', async () => {
  const { beat, ended } = await goneBack(() => undefined);
  await beat();
  assert.deepEqual(await ended(), { everybody: 0, ada: 1 });
});

test('what Redis forgets is found out again once the database answers', async () => {
  let isDown = false;
  const { beat, ended, pass } = await goneBack(() => {
    if (isDown) throw new Error('the database is down');
  });
  isDown = true;
  await assert.rejects(beat());
  isDown = false;
  pass(1_000);
  await beat();
  assert.deepEqual(await ended(), { everybody: 0, ada: 1 });
});

test('partitions that are moved to a new master of the cluster end no ticket', async () => {
  const { master, lostWrites, ended, pass } = await checking();
  const first = master('a', HOUR, p0, p1, p2, p3);
  // Without a time in its data: whatever was revoked may be lost.
  await lostWrites.check(first.send);
  const before = await ended();
  await lostWrites.beat(first.send, first.here);
  pass(1_000);
  const second = master('b', 2 * HOUR, p2, p3);
  await lostWrites.check(second.send);
  assert.deepEqual(await ended(), before);
  await lostWrites.beat(second.send, second.here);

  // One more comes and has the time from now on. An hour later it leaves: the time that stays behind is old.
  pass(HOUR);
  const grown = master('b', 2 * HOUR, p1, p2, p3);
  await lostWrites.beat(grown.send, grown.here);
  const shrunk = master('b', 2 * HOUR, p2, p3);
  await lostWrites.check(shrunk.send);
  assert.deepEqual(await ended(), before);
});

test('a master whose process is younger, or that serves the partition with the time, may have lost writes', async () => {
  for (const lost of ['young', 'copy'] as const) {
    const { master, times, lostWrites, ended, pass } = await checking();
    const first = master('a', HOUR, p0, p1);
    times.set(keys.beat(p0), `${10 * HOUR - 1_000} a`);
    await lostWrites.beat(first.send, first.here);
    assert.deepEqual(await ended(), NONE);
    pass(1_000);
    times.clear();
    const second = lost === 'young' ? master('b', 10 * HOUR, p1) : master('b', HOUR, p0, p1);
    await lostWrites.check(second.send);
    assert.equal((await ended()).everybody, 1, lost);
  }
});
