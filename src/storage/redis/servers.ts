import { setTimeout as pause } from 'node:timers/promises';
import { type Host, shownHost } from '../host.ts';
import { StoreUnavailable } from '../store.ts';
import { claim } from './claim.ts';
import type { RedisReply, Words } from './connection.ts';
import { ConnectionLost, codeOf, isPassing, redirectionIn, translated } from './errors.ts';
import { partitionOfDatabase } from './partitions.ts';
import { withText } from './script.ts';
import { RedisServer } from './server.ts';
import type { OwnedTarget } from './target.ts';
import { type View, viewOf } from './topology.ts';

/** How long is waited before a command is tried again, in milliseconds. */
const BETWEEN_TRIES = 50;
/** How often the servers are asked who serves what when nothing goes wrong, in milliseconds. */
const WATCH_EVERY = 5_000;

const UNSERVED = 'the Redis Cluster does not serve all its slots: see CLUSTER INFO';

/** Asks a server; one that is `taking` the slot over answers only when it is told that we know. */
type SendCommand = (server: RedisServer, words: Words, taking: boolean) => Promise<RedisReply>;

/** The servers of the ticket store: one, or a cluster whose masters share the slots. */
export class RedisServers {
  readonly #target: OwnedTarget;
  readonly #servers = new Map<string, RedisServer>();
  /** The master of each slot; one entry where there is one server for all. */
  #masters: string[] = [];
  /** See {@link View}. */
  #reached: View['reached'] = new Map();
  #isCluster = false;
  #looking: Promise<View> | undefined;
  #watch: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(target: OwnedTarget) {
    this.#target = target;
  }

  /** Finds out what there is, and that it is the database's. Where none of those named answers, throws what went wrong with the first. */
  async open(): Promise<void> {
    const seeds = this.#target.seeds.map((host) => this.#serverAt(host));
    const told = await Promise.allSettled(
      seeds.map(async ({ line }) => (await line.get()).send(['INFO', 'cluster'])),
    );
    const answers = told.flatMap((answer) => (answer.status === 'fulfilled' ? [String(answer.value)] : []));
    const [first] = answers;
    if (first === undefined)
      throw (told.find(({ status }) => status === 'rejected') as PromiseRejectedResult).reason;
    this.#isCluster = first.includes('cluster_enabled:1');
    if (!this.#isCluster && seeds.length > 1)
      throw new StoreUnavailable(
        'it names several Redis servers, which are no cluster: name one, or the nodes of a cluster',
      );
    if (!this.#isCluster) this.#masters = [shownHost((this.#target.seeds as [Host])[0])];
    else await this.#look();
    if (this.#masters.includes('')) throw new StoreUnavailable(UNSERVED);
    await claim(this.#target.database, (words) => this.ask(partitionOfDatabase.slot, words));
    if (!this.#isCluster) return;
    this.#watch = setInterval(() => void this.#look().catch(() => undefined), WATCH_EVERY);
    this.#watch.unref();
  }

  /** The answer of the slot's master, on the connection that reads share. */
  ask(slot: number, words: Words, as?: 'bytes'): Promise<RedisReply> {
    return this.#onMaster(slot, words, async ({ line }, asked, taking) => {
      const connection = line.open ?? (await line.get());
      return connection.send(asked, { as, taking });
    });
  }

  /** The answer of the slot's master to a write, once replicas have that too. The write may be done twice. */
  write(slot: number, words: Words): Promise<RedisReply> {
    return this.#onMaster(slot, words, ({ writes }, asked, taking) => writes.write(asked, taking));
  }

  /** What each master answers. */
  async askAll(words: Words): Promise<{ readonly from: string; readonly reply: RedisReply }[]> {
    const masters = [...new Set(this.#masters)];
    return Promise.all(
      masters.map(async (from) => ({ from, reply: await this.ask(this.#masters.indexOf(from), words) })),
    );
  }

  /** Throws unless some master answers. */
  async answers(): Promise<void> {
    const masters = [...new Set(this.#masters)].flatMap((name) => this.#servers.get(name) ?? []);
    await Promise.any(masters.map(async ({ line }) => (await line.get()).send(['PING']))).catch(
      (error: unknown) => {
        throw translated((error as AggregateError).errors[0] ?? new ConnectionLost(UNSERVED));
      },
    );
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#watch);
    for (const server of this.#servers.values()) server.close();
  }

  /** Tries until the deadline for one command is over, each time where the slot is served by then. */
  async #onMaster(slot: number, words: Words, tryOn: SendCommand): Promise<RedisReply> {
    const giveUpAt = performance.now() + this.#target.commandDeadline;
    let asked = words;
    let taker: RedisServer | undefined;
    let again = false;
    for (;;) {
      const server = taker ?? this.#masterOf(slot);
      try {
        if (server === undefined) throw new ConnectionLost(UNSERVED);
        return await tryOn(server, asked, taker !== undefined);
      } catch (error) {
        if (codeOf(error) === 'NOSCRIPT') {
          asked = withText(words);
          continue;
        }
        if (this.#closed || performance.now() > giveUpAt) throw translated(error);
        taker = await this.#redirected(slot, error, server, again);
        again = true;
      }
    }
  }

  /**
   * Follows a redirection, or waits for better times; throws what neither helps against. The server that is given is
   * the one that takes the slot over, to be asked once.
   */
  async #redirected(
    slot: number,
    error: unknown,
    server: RedisServer | undefined,
    again: boolean,
  ): Promise<RedisServer | undefined> {
    const redirection = server && redirectionIn(error, server.host);
    if (redirection !== undefined) {
      const to = this.#serverAt(this.#reached.get(shownHost(redirection.to)) ?? redirection.to);
      if (redirection.kind === 'ASK') return to;
      this.#masters[slot] = shownHost(to.host);
      void this.#look().catch(() => undefined);
      // Otherwise two that do not agree who has the slot would be asked by turns without a rest.
      if (again) await pause(BETWEEN_TRIES);
      return undefined;
    }
    if (!isPassing(error)) throw translated(error);
    if (this.#isCluster) await this.#look().catch(() => undefined);
    await pause(BETWEEN_TRIES);
    return undefined;
  }

  #masterOf(slot: number): RedisServer | undefined {
    const name = this.#isCluster ? this.#masters[slot] : this.#masters[0];
    return name === undefined ? undefined : this.#servers.get(name);
  }

  #serverAt(host: Host): RedisServer {
    const name = shownHost(host);
    const known = this.#servers.get(name);
    if (known !== undefined) return known;
    const server = new RedisServer(host, this.#target, () => this.#replicasOf(name));
    this.#servers.set(name, server);
    return server;
  }

  /** Asks who serves what; whoever asks meanwhile shares the answer. */
  #look(): Promise<View> {
    this.#looking ??= this.#lookAfresh().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #lookAfresh(): Promise<View> {
    const byName = this.#target.tls !== undefined;
    const view = await viewOf([...this.#servers.values()], byName, this.#target.commandDeadline);
    this.#masters = [...view.masters];
    this.#reached = view.reached;
    for (const host of view.hosts.values()) this.#serverAt(host);
    this.#drop(new Set([...view.hosts.keys(), ...this.#target.seeds.map(shownHost)]));
    return view;
  }

  #drop(kept: ReadonlySet<string>): void {
    for (const [name, server] of this.#servers) {
      if (kept.has(name)) continue;
      this.#servers.delete(name);
      server.close();
    }
  }

  /**
   * How many replicas a master has to wait for: those that keep up with it, and in a cluster all that could take its
   * place, since one that is cut off from it would do so without what it wrote.
   */
  async #replicasOf(name: string): Promise<number> {
    const server = this.#servers.get(name);
    if (server === undefined) throw new ConnectionLost(`Redis at ${name} is no master any more`);
    const known = this.#isCluster ? await this.#replicasKnownOf(name) : 0;
    const told = String(await (await server.line.get()).send(['INFO', 'replication']));
    if (!told.includes('role:master')) throw new ConnectionLost(`Redis at ${name} is no master any more`);
    return Math.max(known, told.split('state=online').length - 1);
  }

  /** What the cluster knows of a master's replicas; throws unless another server holds it for the master. */
  async #replicasKnownOf(name: string): Promise<number> {
    const { masters, confirmed, failed, replicas } = await this.#lookAfresh();
    const alone = new Set(masters).size === 1;
    if (!masters.includes(name) || failed.has(name) || !(confirmed.has(name) || alone))
      throw new ConnectionLost(`no other server confirms that Redis at ${name} is a master`);
    return replicas.get(name) ?? 0;
  }
}
