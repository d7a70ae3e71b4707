import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import type { Redis } from './redis.ts';
import type { RedisCluster } from './redis-cluster.ts';
import { until } from './until.ts';

/** Where the header of a message on the bus names the node that sends it. */
const SENDER = { from: 40, to: 80 };

interface Link {
  /** The id of the node that made it, once it has said so. */
  sender: string | undefined;
  readonly receiver: Redis;
  end(): void;
}

/** The lines on which the nodes of a cluster talk to each other, to be cut while clients reach them all. */
export class RedisBus {
  readonly #links = new Set<Link>();
  readonly #cluster: RedisCluster;
  #cut: { readonly node: Redis; readonly id: string; readonly replicas: readonly Redis[] } | undefined;

  private constructor(cluster: RedisCluster) {
    this.#cluster = cluster;
  }

  /** Leads the talk of the cluster's nodes over lines of the tests' own, until the test ends. */
  static async of(t: TestContext, cluster: RedisCluster): Promise<RedisBus> {
    const bus = new RedisBus(cluster);
    const ports = await Promise.all(cluster.nodes.map((node) => bus.#lineTo(t, node)));
    for (const [index, node] of cluster.nodes.entries())
      await node.ask(['CONFIG', 'SET', 'cluster-announce-bus-port', String(ports[index])]);
    for (const node of cluster.nodes) {
      await until('the nodes talk over the lines', async () => {
        const known = await node.ask(['CLUSTER', 'NODES']);
        return ports.every((port) => known.includes(`@${port}`));
      });
    }
    return bus;
  }

  /** Cuts a node off from all others, its replicas included. Clients reach it still. */
  async cutOff(node: Redis): Promise<void> {
    const id = await node.ask(['CLUSTER', 'MYID']);
    const following = (await this.#cluster.known()).filter(({ follows }) => follows === id);
    const replicas = this.#cluster.nodes.filter(({ port }) => following.some((known) => known.port === port));
    this.#cut = { node, id, replicas };
    for (const link of this.#links) this.#judge(link);
    // With a password that the master has never heard of, a replica is not let in again.
    for (const replica of replicas) await replica.ask(['CONFIG', 'SET', 'masterauth', 'none-such']);
    await node.ask(['CLIENT', 'KILL', 'TYPE', 'replica']);
  }

  /** Lets the node that was cut off talk to the others again. */
  async heal(): Promise<void> {
    for (const replica of this.#cut?.replicas ?? []) await replica.ask(['CONFIG', 'SET', 'masterauth', '']);
    this.#cut = undefined;
  }

  #judge(link: Link): void {
    if (this.#cut !== undefined && (link.receiver === this.#cut.node || link.sender === this.#cut.id))
      link.end();
  }

  async #lineTo(t: TestContext, receiver: Redis): Promise<number> {
    const server = createServer((near) => this.#carry(near, receiver)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => {
      server.close();
      for (const link of this.#links) link.end();
    });
    return (server.address() as AddressInfo).port;
  }

  #carry(near: Socket, receiver: Redis): void {
    const far = connect(receiver.busPort, '127.0.0.1');
    const both = [near, far];
    const end = () => {
      for (const socket of both) socket.destroy();
    };
    const link: Link = { sender: undefined, receiver, end };
    this.#links.add(link);
    near.on('data', (bytes) => {
      if (link.sender === undefined && bytes.length >= SENDER.to) {
        link.sender = bytes.toString('latin1', SENDER.from, SENDER.to);
        this.#judge(link);
      }
      far.write(bytes);
    });
    far.on('data', (bytes) => near.write(bytes));
    for (const socket of both) {
      socket.setNoDelay();
      socket
        .on('error', () => undefined)
        .on('close', () => {
          end();
          this.#links.delete(link);
        });
    }
    this.#judge(link);
  }
}
