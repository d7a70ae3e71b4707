import { digestOf } from '../../src/core/gate/tickets.ts';
import { openRedis } from '../../src/engines/redis/open.ts';
import { partitionOfDigest } from '../../src/engines/redis/partitions.ts';
import { whyNoRedis } from '../../test/service/redis.ts';
import { RedisCluster } from '../../test/service/redis-cluster.ts';
import { openSqlite } from '../../test/service/stores.ts';
import { bareRate } from '../load/bare-rate.ts';
import { compared, type Side } from '../load/compared.ts';
import { load } from '../load/load.ts';
import { validations } from '../load/request-files.ts';
import { atLeast } from '../report/aim.ts';
import { ticketOf, zipf } from '../seeding/draws.ts';
import { LIFETIME, seedStore, usersFor } from '../seeding/tickets.ts';
import { startTessera } from '../servers/servers.ts';
import type { Bench, Line, Row } from './row.ts';

const CONNECTIONS = 64;
const WORKING_SET = 10_000;
const BESIDE = "processor time is that of the service and of the client: Redis's own comes on top of both";
const AIM = atLeast(0.5);
/** Tickets in one write unit. Redis must activate them within a minute of writing them. */
const BATCH = 20_000;
const SEEDING = { replicas: 0, commandDeadline: 60_000 };
/** Partitions of digests and of users: a login puts a ticket into the partition of its user. */
const KINDS = 256;

/** A user in the partition of the ticket. */
function userOf(tickets: number): (number: number) => number {
  const ofAKind = Math.floor(usersFor(tickets) / KINDS);
  return (number) =>
    partitionOfDigest(digestOf(ticketOf(number))).number + KINDS * (number % ofAKind) || KINDS;
}

/** Lookups without the service. */
function lookUps(how: 'client' | 'engine', bench: Bench, url: string): Side {
  const words = [how, url, bench.folder, bench.tickets, WORKING_SET, CONNECTIONS].map(String);
  return (_, seconds) => bareRate('look-ups.ts', words, seconds);
}

async function onCluster(bench: Bench, { url }: RedisCluster): Promise<Line[]> {
  bench.say(`seeding ${bench.tickets} tickets into a Redis Cluster`);
  const below = { store: openSqlite(bench.folder), lifetime: LIFETIME, clock: Date.now };
  const store = await openRedis(url, below, SEEDING);
  await seedStore(store, bench.tickets, { userOf: userOf(bench.tickets), batch: BATCH });
  const getex = lookUps('client', bench, url);
  const found = await compared(
    bench,
    {
      name: 'a ticket, its user and the generation from Redis Cluster against a GETEX, drawn by Zipf from 10,000',
    },
    lookUps('engine', bench, url),
    getex,
  );
  await using ours = await startTessera(bench.folder, { TESSERA_TICKETS: url });
  const validate = (round: number, seconds: number) => {
    const requests = validations(bench, zipf(bench.tickets, WORKING_SET), round);
    return load(ours, { requests, connections: CONNECTIONS, seconds });
  };
  const name = "validate with Redis Cluster against the client's GETEX, drawn by Zipf from 10,000";
  const line = await compared(bench, { name, aim: AIM }, validate, getex);
  return [{ ...line, notes: [BESIDE, ...line.notes] }, found];
}

/** Compares validations with a local Redis Cluster, three masters and three replicas, with the bare client. */
export const redis: Row = {
  name: 'redis',
  async measure(bench) {
    const why = whyNoRedis();
    if (why !== undefined) throw new Error(why);
    const cluster = await RedisCluster.start({ nodeTimeout: 15_000 });
    return await onCluster(bench, cluster).finally(() => cluster.remove());
  },
};
