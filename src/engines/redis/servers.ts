import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnavailable } from '../../core/storage/store.ts';
import { type Host, shownHost } from '../server-url.ts';
import { ConnectionLost, codeOf, isPassing, redirectionIn, translated } from './errors.ts';
import { type Partition, partitionOfDatabase, partitions } from './partitions.ts';
import { claim } from './reconnecting-connection.ts';
import { encoded, type RedisReply, type Words } from './resp.ts';
import { RedisServer } from './server.ts';
import type { OwnedTarget, SendToServer } from './target.ts';
import { type View, viewOf } from './topology.ts';
import type { TrackedReads } from './tracked-reads.ts';

/** Makes the command that runs a script. Its keys lie in one slot. */
export type Script = (keys: readonly (string | Buffer)[], ...values: readonly (string | Buffer)[]) => Words;

const BY_TEXT: Readonly<Record<string, string>> = { EVALSHA: 'EVAL', EVALSHA_RO: 'EVAL_RO' };
const names = new Map<string, string>();

/** Makes a script of its Lua text. A server that refuses writes runs one that only `reads`. */
export function script(text: string, does: 'reads' | 'writes' = 'writes'): Script {
  const digest = hash('sha1', text);
  names.set(digest, text);
  const verb = does === 'reads' ? 'EVALSHA_RO' : 'EVALSHA';
  return (keys, ...values) => [verb, digest, String(keys.length), ...keys, ...values];
}

/** The command with the script's text in place of its digest, for a server that does not have the script yet. */
export function withText([verb, digest, ...rest]: Words): Words {
  return [BY_TEXT[String(verb)] as string, names.get(String(digest)) as string, ...rest];
}

/** How long to wait before a command is tried again, in milliseconds. */
const BETWEEN_TRIES = 50;
/** How often the cluster is asked for its masters while nothing goes wrong, in milliseconds. */
const WATCH_EVERY = 5_000;

const UNSERVED = 'the Redis Cluster does not serve all its slots: see CLUSTER INFO';

/** Sends a command to a server. With `asking` it follows an `ASK` redirection, to a server that is importing the slot. */
type SendCommand = (server: RedisServer, words: Words, asking: boolean) => Promise<RedisReply>;

/** A command, and when it was asked for. */
interface AskedCommand {
  readonly words: Words;
  /** See {@link RedisServers.ask}. */
  readonly instead?: Words | undefined;
  readonly since: number;
}

interface AskOptions {
  /** What bulk strings in the answer become: text, unless bytes are asked for. */
  readonly as?: 'bytes';
  readonly instead?: Words;
}

interface FailedTry {
  readonly server: RedisServer | undefined;
  readonly error: unknown;
}

/** The servers of the ticket store: one, or a cluster whose masters share the slots. */
export class RedisServers {
  readonly #target: OwnedTarget;
  readonly #servers = new Map<string, RedisServer>();
  /** The master of each slot, as its host is shown. One entry where there is one server for all. */
  #masters: string[] = [];
  /** See {@link View}. */
  #hostByAddress: View['hostByAddress'] = new Map();
  #isCluster = false;
  #refreshing: Promise<View> | undefined;
  #watch: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(target: OwnedTarget) {
    this.#target = target;
  }

  /** Finds the servers, and checks that they belong to the database. Throws the first server's fault if none answers. */
  async open(): Promise<void> {
    const seeds = this.#target.seeds.map((host) => this.#serverAt(host));
    const results = await Promise.allSettled(
      seeds.map(async ({ reads }) => (await reads.get()).send(['INFO', 'cluster'])),
    );
    const answers = results.flatMap((answer) =>
      answer.status === 'fulfilled' ? [String(answer.value)] : [],
    );
    const [first] = answers;
    if (first === undefined)
      throw (results.find(({ status }) => status === 'rejected') as PromiseRejectedResult).reason;
    this.#isCluster = first.includes('cluster_enabled:1');
    if (!this.#isCluster && seeds.length > 1)
      throw new StoreUnavailable(
        'it names several Redis servers, which are no cluster: name one, or the nodes of a cluster',
      );
    if (!this.#isCluster) this.#masters = [shownHost((this.#target.seeds as [Host])[0])];
    else await this.#refresh();
    if (this.#masters.includes('')) throw new StoreUnavailable(UNSERVED);
    await claim(this.#target.database, (words) => this.ask(partitionOfDatabase.slot, words));
    if (!this.#isCluster) return;
    this.#watch = setInterval(() => void this.#refresh().catch(() => undefined), WATCH_EVERY);
    this.#watch.unref();
  }

  /**
   * Sends a command to the slot's master, on the connection that reads share. While the slot is being moved its keys may be
   * on two masters, and a command of several keys fails: then `instead` is sent, a command of one key.
   */
  ask(slot: number, words: Words, { as, instead }: AskOptions = {}): Promise<RedisReply> {
    const server = this.#masterOf(slot);
    const open = server?.reads.open;
    const since = performance.now();
    const tryOn: SendCommand = async ({ reads }, command, asking) =>
      (reads.open ?? (await reads.get())).send(command, { as, asking });
    if (open === undefined) return this.#onMaster(slot, { words, instead, since }, tryOn);
    // Most commands succeed at once: they cost one promise.
    return new Promise((done) => {
      const fail = (error: Error) =>
        done(this.#onMaster(slot, { words, instead, since }, tryOn, { error, server }));
      open.sendEncoded(encoded(words), { isBytes: as === 'bytes', done, fail });
    });
  }

  /** Where the slot's master tells of changes; undefined while it does not, and it has to be asked each time. */
  trackedReads(slot: number): TrackedReads | undefined {
    return this.#masterOf(slot)?.validations.open;
  }

  /** Sends a write to the slot's master, and waits for its replicas. The write may be done twice. */
  write(slot: number, words: Words): Promise<RedisReply> {
    const tryOn: SendCommand = ({ writes }, command, asking) => writes.write(command, asking);
    return this.#onMaster(slot, { words, since: performance.now() }, tryOn);
  }

  /** Sends a command to each master. */
  async askAll(words: Words): Promise<{ readonly from: string; readonly reply: RedisReply }[]> {
    const masters = [...new Set(this.#masters)];
    return Promise.all(
      masters.map(async (from) => ({ from, reply: await this.ask(this.#masters.indexOf(from), words) })),
    );
  }

  /** Each master that answers: the partitions that it serves, and how to send commands to it alone. */
  async eachMaster(): Promise<{ readonly here: readonly Partition[]; readonly send: SendToServer }[]> {
    const served = Map.groupBy(partitions, ({ slot }) => this.#masterOf(slot));
    const found = await Promise.allSettled(
      [...served].map(async ([server, here]) => {
        if (server === undefined) throw new ConnectionLost(UNSERVED);
        const connection = await server.reads.get();
        return { here, send: (words: Words) => connection.send(words) };
      }),
    );
    return found.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  }

  /** Throws unless at least one master answers. */
  async ping(): Promise<void> {
    const masters = [...new Set(this.#masters)].flatMap((name) => this.#servers.get(name) ?? []);
    await Promise.any(masters.map(async ({ reads }) => (await reads.get()).send(['PING']))).catch(
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

  /** Tries a command on the slot's master until its deadline is over. `failed` is the failure of the first try. */
  async #onMaster(
    slot: number,
    { words, instead, since }: AskedCommand,
    tryOn: SendCommand,
    failed?: FailedTry,
  ): Promise<RedisReply> {
    const giveUpAt = since + this.#target.commandDeadline;
    let command = words;
    let importing: RedisServer | undefined;
    let again = false;
    for (let failure = failed; ; failure = undefined) {
      const server = failure?.server ?? importing ?? this.#masterOf(slot);
      try {
        if (failure !== undefined) throw failure.error;
        if (server === undefined) throw new ConnectionLost(UNSERVED);
        return await tryOn(server, command, importing !== undefined);
      } catch (error) {
        const code = codeOf(error);
        if (code === 'NOSCRIPT') command = withText(command);
        else if (code === 'TRYAGAIN' && instead !== undefined && command === words) command = instead;
        else if (this.#closed || performance.now() > giveUpAt) throw translated(error);
        else {
          importing = await this.#redirected(slot, error, server, again);
          again = true;
        }
      }
    }
  }

  /**
   * Follows a redirection, or waits before the next try. Throws where neither helps. Returns the server that is importing
   * the slot, if the command has to go there this once.
   */
  async #redirected(
    slot: number,
    error: unknown,
    server: RedisServer | undefined,
    again: boolean,
  ): Promise<RedisServer | undefined> {
    const redirection = server && redirectionIn(error, server.host);
    if (redirection !== undefined) {
      const to = this.#serverAt(this.#hostByAddress.get(shownHost(redirection.to)) ?? redirection.to);
      if (redirection.kind === 'ASK') return to;
      this.#masters[slot] = shownHost(to.host);
      void this.#refresh().catch(() => undefined);
      // Two servers that disagree about the slot would be asked in turn without a pause.
      if (again) await pause(BETWEEN_TRIES);
      return undefined;
    }
    if (!isPassing(error)) throw translated(error);
    if (this.#isCluster) await this.#refresh().catch(() => undefined);
    await pause(BETWEEN_TRIES);
    return undefined;
  }

  #masterOf(slot: number): RedisServer | undefined {
    const name = this.#isCluster ? this.#masters[slot] : this.#masters[0];
    return name === undefined ? undefined : this.#servers.get(name);
  }

  #serverAt(host: Host): RedisServer {
    const name = shownHost(host);
    const open = this.#servers.get(name);
    if (open !== undefined) return open;
    const server = new RedisServer(host, this.#target, () => this.#replicasOf(name));
    this.#servers.set(name, server);
    return server;
  }

  /** Asks the servers for the masters of all slots. Callers share one answer. */
  #refresh(): Promise<View> {
    this.#refreshing ??= this.#refreshNow().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #refreshNow(): Promise<View> {
    const byName = this.#target.tls !== undefined;
    const view = await viewOf([...this.#servers.values()], byName, this.#target.commandDeadline);
    this.#masters = [...view.masters];
    this.#hostByAddress = view.hostByAddress;
    for (const host of view.hosts.values()) this.#serverAt(host);
    this.#drop(new Set([...view.hosts.keys(), ...this.#target.seeds.map(shownHost)]));
    return view;
  }

  #drop(stay: ReadonlySet<string>): void {
    for (const [name, server] of this.#servers) {
      if (stay.has(name)) continue;
      this.#servers.delete(name);
      server.close();
    }
  }

  /**
   * How many replicas a write has to wait for: the ones that are online, and in a cluster all that could be promoted, since
   * one that is cut off from its master would be promoted without the write.
   */
  async #replicasOf(name: string): Promise<number> {
    const server = this.#servers.get(name);
    if (server === undefined) throw new ConnectionLost(`Redis at ${name} is no master any more`);
    const replicas = this.#isCluster ? await this.#replicasKnownOf(name) : 0;
    const info = String(await (await server.reads.get()).send(['INFO', 'replication']));
    if (!info.includes('role:master')) throw new ConnectionLost(`Redis at ${name} is no master any more`);
    return Math.max(replicas, info.split('state=online').length - 1);
  }

  /** How many replicas the cluster knows of a master. Throws unless another server confirms that it is the master. */
  async #replicasKnownOf(name: string): Promise<number> {
    const { masters, confirmed, failed, replicas } = await this.#refreshNow();
    const alone = new Set(masters).size === 1;
    if (!masters.includes(name) || failed.has(name) || !(confirmed.has(name) || alone))
      throw new ConnectionLost(`no other server confirms that Redis at ${name} is a master`);
    return replicas.get(name) ?? 0;
  }
}
