import { randomBytes } from 'node:crypto';
import type { Store, WriteUnit } from '../../core/storage/store.ts';
import { fieldsIn, pairsIn } from './durability.ts';
import { isElsewhere } from './errors.ts';
import { keys, type Partition, partitionOfUser, partitions } from './partitions.ts';
import { script, withText } from './servers.ts';
import type { SendToServer } from './target.ts';

/** How far the time in Redis may be behind while nothing is lost, in milliseconds. It is written every second. */
const FRESH = 3_000;
/** How long before it writes a revocation to Redis a unit notes it at most, in milliseconds. */
const NOTED_BEFORE = 10_000;
/** If something was revoked of more users, the tickets of all users end. */
const MOST_USERS = 1_000;
/** How old the view of a cluster may be that says which master serves a partition, in milliseconds. */
const VIEW = 10_000;
/** How many keys a step of a scan looks at. */
const SCANNED = '1000';
/** The cached values of users, of their groups, and of the server's generation. The database decides about these. */
const CACHED = /\}(u\d+|g|m)$/;
/** How long a mark stays over a value that is not read, in milliseconds. */
const MARKED_FOR = String(60 * 60_000);

/**
 * Writes the time, with the id of the server's process, unless a later one is there. Returns what was there. Writes nothing if
 * that is earlier than the second value: then Redis has lost writes.
 */
const BEAT = script(
  `#!lua flags=allow-oom
local before = redis.call('GET', KEYS[1])
local at = before and tonumber(string.match(before, '^%d+')) or 0
if at >= tonumber(ARGV[2]) and at < tonumber(ARGV[1]) then
  local run = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
  redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. run)
end
return before`,
);

/** Puts a mark over a cached value, even when memory is full. */
const MARK = script(
  `#!lua flags=allow-oom
return redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])`,
);

/** The latest time in the data of a server, in epoch milliseconds, and the process that it was written by. */
interface Beat {
  readonly at: number;
  readonly run: string;
}

function beatIn(reply: unknown): Beat | undefined {
  if (typeof reply !== 'string') return undefined;
  const [at = '', run = ''] = reply.split(' ');
  return { at: Number(at), run };
}

/** The state of a server, by its own answers. */
interface AskedServer {
  /** The partitions that it serves as their master. */
  readonly here: readonly Partition[];
  readonly beat: Beat | undefined;
  /** Whether its process began after the time in its data: it has its data from its disk, or it has none. */
  readonly restarted: boolean;
  /** When its process began at the latest, in epoch milliseconds. */
  readonly startedAt: number;
  /** Whether its data is as of now. */
  readonly fresh: boolean;
  readonly info: ReadonlyMap<string, string>;
}

/** The users whose tickets end: these, or all. */
interface Revoked {
  readonly users: readonly number[];
  readonly everybody: boolean;
}

/**
 * Finds out whether a Redis server has lost its last writes, as after a restart without its log, or from an old copy of its
 * disk. Then tickets that had ended would live again, and disabled users would come back. So this invalidates the cached
 * users there, and ends all tickets of each user who had a revocation since. The database knows these users. Instances
 * write the time to each master every second, which tells how old the data is.
 */
export class LostWrites {
  readonly #sql: Store;
  readonly #clock: () => number;
  /** The last time that was seen in a partition. */
  readonly #seen = new Map<Partition, number>();
  /** When the master of each partition was last up to date, and in which partition its time stood. */
  readonly #upToDate = new Map<Partition, { readonly at: number; readonly beatIn: Partition }>();

  constructor(sql: Store, clock: () => number) {
    this.#sql = sql;
    this.#clock = clock;
  }

  /** Called with the users whose tickets may lie on a server that lost writes, but who are cached on another one. */
  onElsewhere: (revoked: Revoked) => void = () => undefined;
  /** Call this on each new connection before its first use. Once it resolves, nothing on the server lives again. */
  async check(send: SendToServer): Promise<void> {
    const answer = await this.#ask(send);
    const { here, beat, restarted, fresh, info } = answer;
    // A replica and a master without slots serve nothing.
    if (here[0] === undefined || fresh) return;
    if (this.#wereMoved(answer)) {
      await this.#beat(send, here[0], 0);
      return;
    }
    const wentBack = this.#wentBack(answer);
    const isComplete = !wentBack && (!restarted || (await logsEachWrite(send, info)));
    const since = beat === undefined ? 1 : isComplete ? beat.at + FRESH : beat.at - NOTED_BEFORE;
    const users = await this.#sql.read((unit) => unit.users.revokedSince(since, MOST_USERS + 1));
    if (restarted || wentBack || users.length > 0) await this.#recover(send, answer, users);
    else await this.#beat(send, here[0], 0).catch(() => undefined);
  }

  /** Whether the data has been newer before: then writes are lost for sure, those too that came soon after the time in it. */
  #wentBack({ here, beat }: AskedServer): boolean {
    const at = beat?.at ?? 0;
    return here.some((partition) => (this.#seen.get(partition) ?? 0) > at + FRESH);
  }

  /** Writes the time to the master of these partitions. Checks it again if it lost writes while it was connected. */
  async beat(send: SendToServer, here: readonly Partition[]): Promise<void> {
    const [partition] = here;
    if (partition === undefined) return;
    const seen = this.#seen.get(partition);
    const earliest = seen === undefined ? 0 : seen - FRESH;
    const now = this.#clock();
    const at = beatIn(await this.#beat(send, partition, earliest))?.at ?? 0;
    this.#seen.set(partition, Math.max(at, now));
    if (at >= earliest) {
      for (const each of here) this.#upToDate.set(each, { at: now, beatIn: partition });
      return;
    }
    // What was seen stays, so that the next beat checks again if this check fails.
    await this.check(send);
  }

  /**
   * Whether the server lacks the time because partitions were moved to it or away from it, with their keys. Each partition was
   * up to date after its process had begun, and the time stood in a partition that it does not serve. A replica that was
   * promoted would serve that one too.
   */
  #wereMoved({ here, startedAt }: AskedServer): boolean {
    return here.every((partition) => {
      const last = this.#upToDate.get(partition);
      return last !== undefined && last.at - VIEW > startedAt && !here.includes(last.beatIn);
    });
  }

  #beat(send: SendToServer, partition: Partition, earliest: number): Promise<unknown> {
    return send(withText(BEAT([keys.beat(partition)], String(this.#clock()), String(earliest))));
  }

  async #ask(send: SendToServer): Promise<AskedServer> {
    const [info, answers] = await Promise.all([send(['INFO']), Promise.all(partitions.map(askFor(send)))]);
    const found = answers.filter((answer) => answer !== undefined);
    const beats = found.flatMap(({ reply }) => beatIn(reply) ?? []);
    const beat = beats.sort((a, b) => b.at - a.at)[0];
    const fields = fieldsIn(String(info));
    const now = this.#clock();
    // Redis counts whole seconds: it may have started a second later than it seems.
    const startedAt = now - 1_000 * Math.max(0, Number(fields.get('uptime_in_seconds') ?? 0) - 1);
    const restarted = beat === undefined || (beat.run !== fields.get('run_id') && startedAt >= beat.at);
    const fresh = !restarted && now - beat.at < FRESH;
    const here = found.map(({ partition }) => partition);
    return { here, beat, restarted, startedAt, fresh, info: fields };
  }

  async #recover(send: SendToServer, { here, beat }: AskedServer, users: readonly number[]): Promise<void> {
    const everybody = users.length > 0 && (beat === undefined || users.length > MOST_USERS);
    const revoked = { users: everybody ? [] : users, everybody };
    if (users.length > 0 && !(await this.#endTickets(send, revoked))) return;
    const mark = `!${randomBytes(12).toString('base64url')}`;
    await invalidateCached(send, mark);
    const isHere = (id: number) => here.includes(partitionOfUser(id));
    // Even if they are not cached: a reader that asked the database before would cache the old answer.
    const outdated = everybody ? here.map(keys.generation) : users.filter(isHere).map(keys.user);
    await Promise.all(outdated.map((key) => send(withText(MARK([key], mark, MARKED_FOR)))));
    await this.#beat(send, here[0] as Partition, 0);
    const elsewhere = { ...revoked, users: revoked.users.filter((id) => !isHere(id)) };
    if (here.length < partitions.length && (everybody || elsewhere.users.length > 0))
      this.onElsewhere(elsewhere);
  }

  /** Ends tickets in the database, one instance after another; returns false if another one has done it meanwhile. */
  #endTickets(send: SendToServer, revoked: Revoked): Promise<boolean> {
    return this.#sql.write(async (unit) => {
      await unit.lock('users');
      if ((await this.#ask(send)).fresh) return false;
      await endTicketsOf(unit, revoked, this.#clock());
      return true;
    });
  }
}

/** Ends all tickets of these users, or of all users, with an event of each. */
export async function endTicketsOf(
  { users, tickets, events }: WriteUnit,
  { users: ids, everybody }: Revoked,
  at: number,
): Promise<void> {
  const event = { at, kind: 'tickets-revoked', reason: 'Redis has lost writes' } as const;
  if (everybody) {
    await tickets.raiseServerGeneration();
    await events.append(event);
  }
  for (const id of ids) {
    const user = await users.find(id);
    if (user === undefined) continue;
    await users.change(id, { generation: user.generation + 1 });
    await events.append({ ...event, user: user.name });
  }
}

/** Asks a server for the time in a partition; undefined if it is not the master of it. */
const askFor = (send: SendToServer) => async (partition: Partition) => {
  try {
    return { partition, reply: await send(['GET', keys.beat(partition)]) };
  } catch (error) {
    if (isElsewhere(error)) return undefined;
    throw error;
  }
};

/** Whether a restart of the server loses nothing: each write is on its disk before it answers. */
async function logsEachWrite(send: SendToServer, info: ReadonlyMap<string, string>): Promise<boolean> {
  if (info.get('aof_enabled') !== '1') return false;
  return (
    pairsIn(await send(['CONFIG', 'GET', 'appendfsync']).catch(() => [])).get('appendfsync') === 'always'
  );
}

/** Replaces every value that a server caches by a mark: readers ask the database until the mark is repaired. */
async function invalidateCached(send: SendToServer, mark: string): Promise<void> {
  let cursor: string | undefined = '0';
  while (cursor !== undefined) {
    const reply = await send(['SCAN', cursor, 'MATCH', 'tessera:{*}[ugm]*', 'COUNT', SCANNED]);
    const [next, found] = reply as [string, string[]];
    const cached = found.filter((key) => CACHED.test(key));
    await Promise.all(cached.map((key) => send(withText(MARK([key], mark, MARKED_FOR)))));
    cursor = next === '0' ? undefined : next;
  }
}
