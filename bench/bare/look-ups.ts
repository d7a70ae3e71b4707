import { createCluster } from '@redis/client';
import type { Digest } from '../../src/core/domain/ticket.ts';
import { digestOf } from '../../src/core/gate/tickets.ts';
import { openRedis } from '../../src/engines/redis/open.ts';
import { keys } from '../../src/engines/redis/partitions.ts';
import { openSqlite } from '../../test/service/stores.ts';
import { ticketOf, zipf } from '../seeding/draws.ts';
import { LIFETIME } from '../seeding/tickets.ts';

/**
 * Looks tickets up in a Redis Cluster and prints the number a second: with the client alone (one GETEX for each), or with
 * Tessera's store engine, which also reads the user and the generation.
 */
const [how = '', url = '', data = '', tickets = '', workingSet = '', atATime = '', seconds = ''] =
  process.argv.slice(2);

/** Seconds before the measurement, since the other side is warm. */
const WARM_UP = 2;
const draw = zipf(Number(tickets), Number(workingSet));
const digests = Array.from({ length: 50_000 }, (_, at) => digestOf(ticketOf(draw('look-up', at))));

interface Looking {
  readonly lookUp: (digest: Digest) => Promise<unknown>;
  readonly close: () => Promise<unknown>;
}

async function byClient(): Promise<Looking> {
  const rootNodes = url
    .replace('redis://', '')
    .split(',')
    .map((host) => ({ url: `redis://${host}` }));
  // No timer for each command: the engine has none either.
  const client = createCluster({ RESP: 2, rootNodes, commandOptions: { timeout: 0 } });
  await client.connect();
  return {
    lookUp: (digest) => client.getEx(keys.ticket(digest), { type: 'PX', value: LIFETIME.idle }),
    close: () => client.close(),
  };
}

async function byEngine(): Promise<Looking> {
  const below = { store: openSqlite(data), lifetime: LIFETIME, clock: Date.now };
  const store = await openRedis(url, below);
  return {
    lookUp: (digest) => store.read((unit) => unit.tickets.find(digest)),
    close: () => store.close(),
  };
}

const { lookUp, close } = how === 'client' ? await byClient() : await byEngine();
let done = 0;
let until = Number.POSITIVE_INFINITY;

async function lookOn(): Promise<void> {
  while (performance.now() < until) {
    const found = await lookUp(digests[done % digests.length] as Digest);
    if (found === null || found === undefined) throw new Error('a ticket is not there');
    done += 1;
  }
}

async function rate(duration: number): Promise<number> {
  const [before, began] = [done, performance.now()];
  until = began + duration * 1_000;
  await Promise.all(Array.from({ length: Number(atATime) }, lookOn));
  return ((done - before) * 1_000) / (performance.now() - began);
}

await rate(WARM_UP);
console.log('measuring');
console.log(`a second: ${await rate(Number(seconds))}`);
await close();
