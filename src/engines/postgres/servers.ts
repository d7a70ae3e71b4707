import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnavailable } from '../../core/storage/store.ts';
import { type Host, shownHost } from '../server-url.ts';
import { PostgresConnection } from './connection.ts';
import { inBothWords, whyNotConnected } from './errors.ts';
import { type PostgresTarget, shownTarget } from './target.ts';

/** For how long every caller gets the same fault after a failed attempt to connect, in milliseconds: it spares the server. */
const QUIET = 250;
/**
 * How long the other hosts may take once one has answered, in milliseconds: a newer primary may be among them. Before any
 * primary was seen they have the whole deadline, since a primary that was replaced can be the quicker one.
 */
const OTHERS = 200;
/** The oldest version of PostgreSQL, as `server_version_num`. */
const OLDEST = 130_000;

/**
 * Asks a server about itself and sets the connection up. Sequential scans are off, since a plan that was made while a table
 * was small stays in use when it has grown. `synchronous_commit = off` would answer before the commit is on disk. Warnings
 * are on: only a warning tells that a commit did not wait for the standby.
 */
const FACTS = `SELECT pg_is_in_recovery() AS standby,
  current_setting('transaction_read_only') = 'on' AS readonly,
  current_setting('server_encoding') AS encoding,
  current_setting('server_version_num')::bigint AS version,
  CASE WHEN pg_is_in_recovery() THEN 0
    ELSE ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint END AS timeline,
  set_config('jit', 'off', false),
  set_config('bytea_output', 'hex', false),
  set_config('client_min_messages', 'warning', false),
  set_config('enable_seqscan', 'off', false),
  CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'local', false) END`;

interface WritableServer {
  readonly connection: PostgresConnection;
  /** Each promotion of a standby raises it. */
  readonly timeline: number;
}

/** The servers of a target, of which one is writable at a time. */
export class PostgresServers {
  readonly target: PostgresTarget;
  /** The timeline of each connection that is open, or was when the last one was made. */
  readonly #timelines = new Map<PostgresConnection, number>();
  #newest = 0;
  #quietUntil = 0;
  #fault: unknown;

  constructor(target: PostgresTarget) {
    this.target = target;
  }

  /** A new connection to the writable server. Throws {@link StoreUnavailable} saying why each host is not. */
  async connect(
    deadline = this.target.statementDeadline,
    others = this.#newest === 0 ? this.target.connectDeadline : OTHERS,
  ): Promise<PostgresConnection> {
    if (performance.now() < this.#quietUntil) throw this.#fault;
    try {
      const { connection, timeline } = await this.#writable(deadline, others);
      this.#dropOlder(timeline);
      this.#timelines.set(connection, timeline);
      return connection;
    } catch (error) {
      this.#fault = error;
      this.#quietUntil = performance.now() + QUIET;
      throw error;
    }
  }

  /** Whether the connection is open and leads to the newest primary that was seen. */
  isCurrent(connection: PostgresConnection): boolean {
    return connection.isOpen && this.#timelines.get(connection) === this.#newest;
  }

  /** Looks for a newer primary: a standby may be promoted while the old primary lives on. */
  async findNewerPrimary(): Promise<void> {
    if (this.target.hosts.length === 1) return;
    const { statementDeadline, connectDeadline } = this.target;
    const connection = await this.connect(statementDeadline, connectDeadline);
    await connection.close();
  }

  /**
   * Destroys connections to a primary that was replaced: its answers are outdated, and if it is silent its callers would
   * wait until their deadlines.
   */
  #dropOlder(timeline: number): void {
    this.#newest = Math.max(this.#newest, timeline);
    for (const [connection, led] of this.#timelines) {
      if (connection.isOpen && led < this.#newest)
        connection.destroy('it led to a primary that was replaced');
      if (!connection.isOpen || led < this.#newest) this.#timelines.delete(connection);
    }
  }

  async #writable(deadline: number, others: number): Promise<WritableServer> {
    const { hosts } = this.target;
    const found: WritableServer[] = [];
    let chosen: WritableServer | undefined;
    const tries = hosts.map(async (host) => {
      const one = await this.#open(host, deadline);
      if (chosen === undefined) found.push(one);
      else await one.connection.close();
    });
    await Promise.any(tries).catch((error: AggregateError) => {
      const whys = error.errors.map(
        (why, index) => `${shownHost(hosts[index] as Host)}: ${whyNotConnected(why)}`,
      );
      const [cause] = error.errors;
      // The log shows the messages of all causes: this one would show twice.
      const isTold = cause instanceof Error && whys[0]?.includes(cause.message);
      throw new StoreUnavailable(whys.join('; '), isTold ? {} : { cause });
    });
    const isPromoted = this.#newest > 0 && found.some(({ timeline }) => timeline > this.#newest);
    if (!isPromoted && found.length < hosts.length)
      await Promise.race([Promise.allSettled(tries), pause(others, undefined, { ref: false })]);
    const [newest, ...older] = found.sort((a, b) => b.timeline - a.timeline);
    chosen = newest as WritableServer;
    for (const { connection } of older) void connection.close();
    return chosen;
  }

  async #open(host: Host, deadline: number): Promise<WritableServer> {
    const connection = new PostgresConnection(host, this.target, deadline);
    try {
      await connection.connect();
      const facts = (await connection.text(FACTS)).rows[0] ?? {};
      const timeline = facts.timeline as number;
      const fault = this.#faultIn(facts, timeline);
      if (fault !== undefined) throw new StoreUnavailable(fault);
      return { connection, timeline };
    } catch (error) {
      void connection.close();
      throw error;
    }
  }

  #faultIn(facts: Readonly<Record<string, unknown>>, timeline: number): string | undefined {
    if (facts.standby) return 'it is a standby';
    if (facts.readonly) return 'it is read-only: default_transaction_read_only is on';
    if ((facts.version as number) < OLDEST) return 'it is older than PostgreSQL 13';
    if (facts.encoding !== 'UTF8') return `its database is encoded in ${facts.encoding}: make one in UTF8`;
    if (timeline < this.#newest)
      return 'it is a primary that was replaced: a newer one was seen (where this one is right, since upgraded or restored, restart the service)';
    return undefined;
  }
}

/** Does `work` with the servers of the target. Its faults become {@link StoreUnavailable} and name the target. */
export async function onServer<T>(
  target: PostgresTarget,
  work: (servers: PostgresServers) => Promise<T>,
): Promise<T> {
  try {
    return await work(new PostgresServers(target));
  } catch (error) {
    const why = inBothWords(error);
    throw new StoreUnavailable(`cannot use the database ${shownTarget(target)}: ${why}`, { cause: error });
  }
}
