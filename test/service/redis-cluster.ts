import { Redis } from './redis.ts';
import { until } from './until.ts';

const SLOTS = 16_384;
const MASTERS = 3;

/** How a cluster of the tests is made. */
export interface ClusterManner {
  /** `cluster-node-timeout` in milliseconds: how long a node is silent before it counts as failed. */
  readonly nodeTimeout?: number;
  /** Further words of each server's command line. */
  readonly settings?: readonly string[];
}

/** A node as the cluster knows it: see `CLUSTER NODES`. */
export interface KnownNode {
  readonly id: string;
  readonly port: number;
  readonly role: 'master' | 'replica';
  readonly failed: boolean;
  /** The id of the master that it follows. */
  readonly follows: string | undefined;
  readonly slots: readonly (readonly [first: number, last: number])[];
}

/** A real Redis Cluster of three masters with a replica each, on this machine. */
export class RedisCluster {
  /** The first three began as masters; the replica of each follows in the same order. */
  readonly nodes: readonly Redis[];

  private constructor(nodes: readonly Redis[]) {
    this.nodes = nodes;
  }

  /** A new cluster that serves all slots, with every replica in step. */
  static async start({ nodeTimeout = 5_000, settings = [] }: ClusterManner = {}): Promise<RedisCluster> {
    const words = ['--cluster-enabled', 'yes', '--cluster-node-timeout', String(nodeTimeout), ...settings];
    const steady = ['--cluster-allow-replica-migration', 'no', '--repl-timeout', '10'];
    const nodes: Redis[] = [];
    for (let started = 0; started < 2 * MASTERS; started += 1)
      nodes.push(await Redis.start(...words, ...steady));
    const cluster = new RedisCluster(nodes);
    try {
      await cluster.#join();
    } catch (error) {
      await cluster.remove();
      throw error;
    }
    return cluster;
  }

  /** Where it is, as `TESSERA_TICKETS` takes it: all nodes. */
  get url(): string {
    return `redis://${this.nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`;
  }

  /** The nodes as one of them knows them; the first that answers is asked unless one is named. */
  async known(by?: Redis): Promise<KnownNode[]> {
    const words = ['CLUSTER', 'NODES'];
    const text = await (by === undefined ? this.#askAny(words) : by.ask(words, 1_000));
    return text.split('\n').map(toKnown);
  }

  /** The node that is the master of a slot by now. */
  async masterOf(slot: number): Promise<Redis> {
    const known = await this.known();
    const master = known.find(
      ({ role, failed, slots }) =>
        role === 'master' && !failed && slots.some(([first, last]) => slot >= first && slot <= last),
    );
    const node = this.nodes.find(({ port }) => port === master?.port);
    if (node === undefined) throw new Error(`slot ${slot} has no master`);
    return node;
  }

  /** The master of the slot that a key lies in. */
  async masterOfKey(key: string): Promise<Redis> {
    return this.masterOf(Number(await this.#askAny(['CLUSTER', 'KEYSLOT', key])));
  }

  /** Waits until a replica has taken the place of `lost`, and all slots are served. */
  async failedOver(lost: Redis): Promise<void> {
    const others = this.nodes.filter((node) => node !== lost);
    await until('the cluster fails over', async () => {
      const views = await Promise.all(others.map((node) => this.known(node)));
      return views.every((known) => {
        const masters = known.filter(({ role, failed }) => role === 'master' && !failed);
        const serving = masters.filter(({ port, slots }) => port !== lost.port && slots.length > 0);
        return serving.length === MASTERS;
      });
    });
    await Promise.all(others.map((node) => until('all slots are served', () => isOk(node))));
  }

  /** Waits until all nodes are there, agree, and every replica is in step with its master. */
  async isWhole(): Promise<void> {
    for (const node of this.nodes) {
      await until('a node of the cluster is well', async () => {
        const known = await this.known(node);
        const well = known.length === this.nodes.length && known.every(({ failed }) => !failed);
        return well && (await isOk(node)) && (await isInStep(node));
      });
    }
  }

  /** Removes everything that is kept; a replica refuses, and follows its master. */
  async flush(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.ask(['FLUSHALL']).catch(() => undefined)));
  }

  /** Ends all nodes and removes their data. */
  async remove(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.remove()));
  }

  /** What the first node says that answers. */
  async #askAny(words: readonly string[]): Promise<string> {
    for (const node of this.nodes) {
      const text = await node.ask(words, 1_000).catch(() => undefined);
      if (text !== undefined) return text;
    }
    throw new Error('no node of the cluster answers');
  }

  async #join(): Promise<void> {
    const ids = await Promise.all(this.nodes.map((node) => node.ask(['CLUSTER', 'MYID'])));
    const [first] = this.nodes as [Redis];
    for (const [index, node] of this.nodes.entries()) {
      await node.ask(['CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1)]);
      if (index >= MASTERS) continue;
      const [from, to] = [index, index + 1].map((at) => Math.floor((at * SLOTS) / MASTERS)) as [
        number,
        number,
      ];
      await node.ask(['CLUSTER', 'ADDSLOTSRANGE', String(from), String(to - 1)]);
    }
    for (const node of this.nodes)
      await first.ask(['CLUSTER', 'MEET', '127.0.0.1', String(node.port), String(node.busPort)]);
    for (const [index, node] of this.nodes.entries()) {
      await until('the nodes know each other', async () => (await this.known(node)).length === ids.length);
      if (index >= MASTERS)
        await until('a replica follows its master', async () => {
          await node.ask(['CLUSTER', 'REPLICATE', ids[index - MASTERS] as string]);
          return true;
        });
    }
    await this.isWhole();
  }
}

async function isOk(node: Redis): Promise<boolean> {
  return (await node.ask(['CLUSTER', 'INFO'], 5_000)).includes('cluster_state:ok');
}

/** Whether a replica has its master, or a master its replica. */
async function isInStep(node: Redis): Promise<boolean> {
  const told = await node.ask(['INFO', 'replication'], 5_000);
  return told.includes('role:master') ? /state=online/.test(told) : told.includes('master_link_status:up');
}

function toKnown(line: string): KnownNode {
  const [id = '', address = '', flags = '', master = '', , , , , ...slots] = line.trim().split(' ');
  return {
    id,
    port: Number(/:(\d+)/.exec(address)?.[1]),
    role: flags.includes('slave') ? 'replica' : 'master',
    failed: /\bfail\b|noaddr/.test(flags),
    follows: master === '-' ? undefined : master,
    slots: slots
      .filter((text) => /^\d/.test(text))
      .map((text) => {
        const [from = '', to = from] = text.split('-');
        return [Number(from), Number(to)] as const;
      }),
  };
}
