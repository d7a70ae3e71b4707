import { blockOf, SITE } from '../domain/address-block.ts';
import { countingAlso, type Event, minuteOf } from '../domain/event.ts';
import type { Digest } from '../domain/ticket.ts';
import type { WriteUnit } from '../storage/store.ts';

/** The most tickets whose uses are buffered. */
const MOST_USES = 100_000;
/** The most different tries that are buffered. Further ones are counted together, without a name. */
const MOST_TALLIES = 10_000;
/** The most credentials of each kind whose uses are buffered. */
const MOST_CREDENTIAL_USES = 10_000;
/** The most uses or counts that one unit writes. Many more would delay other units, or exceed a deadline of the store. */
const IN_ONE_UNIT = 1_000;

/** Tries that were refused in the same way, in one minute. */
interface Tally {
  event: Event;
  times: number;
}

/** Writes that a credential was used. `id` is the text by which its uses were noted, `at` is in epoch milliseconds. */
export type WriteUse = (unit: WriteUnit, id: string, at: number) => Promise<unknown>;

/** What one unit writes. */
export interface WriteBatch {
  readonly uses: readonly (readonly [digest: Digest, at: number])[];
  /** Uses of credentials of one kind. */
  readonly ofCredentials?: {
    readonly write: WriteUse;
    readonly uses: readonly (readonly [id: string, at: number])[];
  };
  readonly tallies: readonly (readonly [key: string, tally: Readonly<Tally>])[];
}

const NOTHING: WriteBatch = { uses: [], tallies: [] };

function first<T>(count: number, of: Iterable<T>): T[] {
  const found: T[] = [];
  for (const one of of) if (found.push(one) === count) break;
  return found;
}

/**
 * Buffers uses of tickets and counts of refusals until they are written. Its size has limits: when it is full it drops the
 * oldest uses first, since a ticket that is still in use is noted again.
 */
export class WriteBuffer {
  /** By digest, the latest use last. */
  readonly #uses = new Map<Digest, number>();
  /** By what writes them, which is one function for each kind of credential. */
  readonly #credentials = new Map<WriteUse, Map<string, number>>();
  readonly #tallies = new Map<string, Tally>();

  /** Notes a use. Of several uses of one ticket only the latest is kept. */
  use(digest: Digest, at: number): void {
    const noted = this.#uses.get(digest);
    if (noted === undefined) this.#makeRoom();
    else this.#uses.delete(digest);
    this.#uses.set(digest, Math.max(at, noted ?? at));
  }

  /** Notes a use of a credential other than a ticket. Of several uses only the latest is kept. */
  useCredential(write: WriteUse, id: string, at: number): void {
    const uses = this.#credentials.get(write) ?? new Map<string, number>();
    this.#credentials.set(write, uses);
    const noted = uses.get(id);
    if (noted === undefined && uses.size >= MOST_CREDENTIAL_USES) return;
    uses.set(id, Math.max(at, noted ?? at));
  }

  /** Counts `times` tries. */
  tally(event: Event, times = 1): void {
    const { at, kind, user, from, reason } = event;
    const own = [kind, user, from, reason, minuteOf(at)].join('\0');
    const hasRow = this.#tallies.has(own) || this.#tallies.size < MOST_TALLIES;
    const key = hasRow ? own : kind;
    const buffered = this.#tallies.get(key);
    if (buffered !== undefined) {
      buffered.times += times;
      buffered.event = countingAlso(buffered.event, event);
    } else this.#tallies.set(key, { event: hasRow ? event : { at, kind }, times });
  }

  /** Adds a buffer that was filled after this one. */
  add(later: WriteBuffer): void {
    for (const [digest, at] of later.#uses) this.use(digest, at);
    for (const [write, uses] of later.#credentials)
      for (const [id, at] of uses) this.useCredential(write, id, at);
    for (const { event, times } of later.#tallies.values()) this.tally(event, times);
  }

  /**
   * Returns what to write next, or undefined when the buffer is empty. Counts and uses are never in one batch: tickets may
   * be in another store, and if their uses failed, counts in the same batch would be added again with each retry.
   */
  next(): WriteBatch | undefined {
    if (this.#tallies.size > 0) return { ...NOTHING, tallies: first(IN_ONE_UNIT, this.#tallies) };
    for (const [write, uses] of this.#credentials)
      if (uses.size > 0) return { ...NOTHING, ofCredentials: { write, uses: first(IN_ONE_UNIT, uses) } };
    if (this.#uses.size > 0) return { ...NOTHING, uses: first(IN_ONE_UNIT, this.#uses) };
    return undefined;
  }

  /** Removes the batch that {@link next} returned, once it is written. */
  drop({ uses, ofCredentials, tallies }: WriteBatch): void {
    if (ofCredentials !== undefined) {
      const buffered = this.#credentials.get(ofCredentials.write);
      for (const [id] of ofCredentials.uses) buffered?.delete(id);
    }
    for (const [digest] of uses) this.#uses.delete(digest);
    for (const [key] of tallies) this.#tallies.delete(key);
  }

  #makeRoom(): void {
    if (this.#uses.size < MOST_USES) return;
    // Many at once: the more entries were removed at the front of a map, the longer it takes to find its first one.
    for (const [digest] of first(MOST_USES / 10, this.#uses)) this.#uses.delete(digest);
  }
}

/** The most rows of one minute that name a user and an address. */
const MOST_ROWS = 1_000;
/** The most further rows of that minute, which name a network. */
const MOST_NETWORKS = 500;

/**
 * Limits the rows that counted refusals make in a minute, whatever names and addresses they have. Above the limit they
 * count for their network (an IPv6 /48, an IPv4 /24), and above a second limit only for their kind and reason.
 */
export class RowLimiter {
  #minute = Number.NEGATIVE_INFINITY;
  readonly #rows = new Set<string>();
  readonly #networks = new Set<string>();

  /** The event that this one is counted as. */
  rowOf(event: Event): Event {
    const { at, kind, user, from, reason } = event;
    const minute = minuteOf(at);
    // Only forward: a clock that jumps back and forth would lift the limit.
    if (minute > this.#minute) {
      this.#minute = minute;
      this.#rows.clear();
      this.#networks.clear();
    }
    if (admit(this.#rows, MOST_ROWS, [kind, user, from, reason, minute])) return event;
    const network = from && blockOf(from, SITE);
    if (admit(this.#networks, MOST_NETWORKS, [kind, network, reason, minute]))
      return { at, kind, from: network, reason };
    return { at, kind, reason };
  }
}

/** Whether the row is known, or may be added since there are fewer than `most`. */
function admit(seen: Set<string>, most: number, row: readonly unknown[]): boolean {
  const key = row.join('\0');
  if (seen.has(key)) return true;
  if (seen.size >= most) return false;
  seen.add(key);
  return true;
}
