import type { TestContext } from 'node:test';
import { type Postgres, testsOnOwnPostgres } from '../service/postgres.ts';
import { whyNoRedis } from '../service/redis.ts';
import { RedisCluster } from '../service/redis-cluster.ts';
import type { Fleet } from './fleet.ts';
import { DURABLE, fleetOn } from './on-postgres.ts';

/** Milliseconds after which a node that is silent counts as failed. */
const NODE_TIMEOUT = 2_000;
/** Milliseconds that an instance waits for an answer of a node. */
const COMMAND_DEADLINE = 1_000;

/** How long a master that is cut off, or has just woken, may answer with what is no longer true. */
export const STALE_WINDOW = NODE_TIMEOUT + COMMAND_DEADLINE;

/** Slots between those whose masters are struck one after another: each lies with another master. */
export const SLOTS_APART = 5_462;

type Body = (t: TestContext, fleet: Fleet, cluster: RedisCluster) => Promise<void>;

/** Instances A, B and C with their tickets in a Redis Cluster of 3 masters and 3 replicas, all else in PostgreSQL. */
async function onCluster(t: TestContext, server: Postgres, body: Body): Promise<void> {
  const cluster = await RedisCluster.start({ nodeTimeout: NODE_TIMEOUT });
  t.after(() => cluster.remove());
  const tickets = () => ({ TESSERA_TICKETS: cluster.url });
  await body(t, await fleetOn(t, await server.freshDatabase(), tickets), cluster);
}

/** Tests on a cluster each. Where none can be started they are skipped, and say why. */
export async function testsOnCluster(): Promise<(name: string, body: Body) => void> {
  const test = await testsOnOwnPostgres(...DURABLE);
  return (name, body) =>
    test(name, async (t, server) => {
      const why = whyNoRedis();
      if (why !== undefined) t.skip(why);
      else await onCluster(t, server, body);
    });
}
