import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Store } from '../../src/core/storage/store.ts';
import {
  isSigned,
  readingOf,
  SECRET,
  startReceiver,
  webhooksDocument,
} from '../capabilities/webhooks/receiver.ts';
import { testsOnOwnPostgres } from '../service/postgres.ts';
import { temporaryFolder } from '../service/start.ts';
import { openPostgres, openSqlite } from '../service/stores.ts';
import { until } from '../service/until.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { addUsers, DURABLE, fleetOn } from './on-postgres.ts';
import { underLoad } from './scenario.ts';

const onPostgres = await testsOnOwnPostgres(...DURABLE);

/** Answers, or fails in one of the ways in which a receiver can. */
function answerAtRandom(response: ServerResponse): void {
  const chance = Math.random();
  if (chance < 0.1) response.writeHead(500).end();
  // The message was read, and the sender cannot know.
  else if (chance < 0.15) response.destroy();
  else if (chance < 0.2) setTimeout(() => response.writeHead(200).end(), 300);
  // No answer at all: the deadline of the sender is over first.
  else if (chance > 0.21) response.writeHead(204).end();
}

/** A receiver that fails at random until it is told to take all, and the settings of instances that deliver to it. */
async function failingReceiver(t: TestContext) {
  const mood = { takesAll: false };
  const receiver = await startReceiver(t, (_n, _request, response) => {
    if (mood.takesAll) response.writeHead(204).end();
    else answerAtRandom(response);
  });
  const siem = { id: 'siem', url: receiver.url, secrets: [SECRET], deadline: 1_000 };
  const settings = { TESSERA_WEBHOOKS: await webhooksDocument(t, siem) };
  return { mood, receiver, settings };
}

/** Kills one instance after another with `kill -9`, and starts it again. */
const killing = (fleet: Fleet) => ({
  kills: true,
  async strike(round: number) {
    const victim = fleet.instances[round % fleet.instances.length];
    await pause(Math.random() * 500);
    await victim?.kill();
    await pause(500);
    await victim?.start();
  },
});

async function everyEventId(store: Store): Promise<number[]> {
  const ids: number[] = [];
  for (;;) {
    const page = await store.read(({ events }) => events.appended(ids.at(-1) ?? 0, 1_000));
    if (page.length === 0) return ids;
    ids.push(...page.map(({ id }) => id));
  }
}

/** Has all that waits delivered, and holds what came to what the table of events says. */
async function holdToDelivery(
  t: TestContext,
  store: Store,
  { mood, receiver }: Awaited<ReturnType<typeof failingReceiver>>,
): Promise<void> {
  mood.takesAll = true;
  const waiting = async () => (await store.read(({ webhooks }) => webhooks.list()))[0]?.waiting;
  await until('all is delivered', async () => {
    await store.write(({ webhooks }) => webhooks.retry('siem', 'all', Date.now() - 1_000));
    await pause(1_000);
    return (await waiting()) === 0;
  });
  const idsOf = new Map<unknown, Set<unknown>>();
  for (const message of receiver.received) {
    assert.ok(isSigned(message, SECRET));
    const { id } = readingOf(message).data;
    idsOf.set(id, (idsOf.get(id) ?? new Set()).add(message.headers['webhook-id']));
  }
  const events = await everyEventId(store);
  assert.ok(events.length > 100, 'there were too few events to tell anything');
  assert.deepEqual(events.filter((id) => !idsOf.has(id)).slice(0, 10), [], 'events that never came');
  assert.deepEqual(
    [...idsOf.values()].filter(({ size }) => size > 1),
    [],
    'an event with several ids',
  );
  assert.equal(idsOf.size, events.length, 'events that are none');
  const again = receiver.received.length - events.length;
  t.diagnostic(`${events.length} events, each delivered at least once; ${again} messages came again`);
}

onPostgres(
  'kill -9 of instances, and a receiver that fails: each event is delivered at least once',
  async (t, server) => {
    const url = await server.freshDatabase();
    const failing = await failingReceiver(t);
    const fleet = await fleetOn(t, url, () => failing.settings);
    await underLoad(t, fleet, killing(fleet));
    const store = await openPostgres(url);
    await holdToDelivery(t, store, failing).finally(() => store.close());
  },
);

test('the same with one instance on the embedded store', async (t) => {
  const data = await temporaryFolder(t);
  const seeded = openSqlite(data);
  await addUsers(seeded).finally(() => seeded.close());
  const failing = await failingReceiver(t);
  const fleet = await startFleet(t, ['A'], () => ({ TESSERA_DATA: data, ...failing.settings }));
  await underLoad(t, fleet, killing(fleet));
  const store = openSqlite(data);
  await holdToDelivery(t, store, failing).finally(() => store.close());
});
