import type { Digest, HeldTicket } from '../../core/domain/ticket.ts';
import { countEmptied, type WhyEmptied } from '../../core/emptied-caches.ts';

/** How many places there are: a power of two. */
const PLACES = 65_536;

/** A hash of a key, of as many bits as a number can have that V8 keeps without an object of its own. */
export function hashOf(key: string | number): number {
  if (typeof key === 'number') return key;
  let hash = key.length;
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x0100_0193);
  return hash & 0x3fff_ffff;
}

/**
 * When what is cached under each key last changed, on a clock that each change moves on. A value that was asked for at some time is valid
 * as long as none of its keys has changed since, so an answer that a change has overtaken is never valid. Keys share places: a
 * value that is still valid may be dropped, but a stale one is never kept.
 */
export class Changes {
  readonly #lastAt = new Float64Array(PLACES);
  #allAt = 0;
  #now = 0;

  /** The time before a read is sent that is to be cached. */
  get now(): number {
    return this.#now;
  }

  /** The place of a key. */
  placeOf(key: string | number): number {
    return hashOf(key) & (PLACES - 1);
  }

  /** Notes that what is cached under this key has changed. */
  note(key: string | number): void {
    this.#now += 1;
    this.#lastAt[this.placeOf(key)] = this.#now;
  }

  /** Notes that everything may have changed, and counts the reason. */
  noteAll(reason: WhyEmptied): void {
    countEmptied(reason);
    this.#now += 1;
    this.#allAt = this.#now;
  }

  /** Whether nothing has changed at this place since then. */
  isUnchanged(place: number, since: number): boolean {
    return this.#allAt <= since && (this.#lastAt[place] as number) <= since;
  }
}

/** The most entries of a cache, if nothing else is set: half of them in the newer generation, half in the older. */
const MOST = 32_768;
/** The most characters of all keys, for each entry: a key can be as long as the URL of a request. */
const CHARACTERS = 122;

interface CacheEntry<K, V> {
  readonly key: K;
  readonly value: V;
}

/**
 * A cache in two generations: a full newer one becomes the older one, and the entries of the older one that were not
 * used since then are dropped. An LRU list would cost a validation as much as the rest of its look-up. Keys are hashed to
 * numbers, since a `Map` with string keys interns each key first; of two keys with the same hash the last one is kept.
 */
export class TwoGenerationCache<K extends string | number, V extends object> {
  #newer = new Map<number, CacheEntry<K, V>>();
  #older = new Map<number, CacheEntry<K, V>>();
  readonly #most: number;
  /** Characters of the keys in the newer generation. */
  #characters = 0;

  /** Keeps at most so many entries; none, if that is 0. */
  constructor(most = MOST) {
    this.#most = most;
  }

  get(key: K): V | undefined {
    const hash = hashOf(key);
    const newer = this.#newer.get(hash);
    if (newer?.key === key) return newer.value;
    const older = this.#older.get(hash);
    if (older?.key !== key) return undefined;
    this.#put(hash, older);
    return older.value;
  }

  set(key: K, value: V): void {
    this.#put(hashOf(key), { key, value });
  }

  clear(): void {
    this.#newer.clear();
    this.#older.clear();
    this.#characters = 0;
  }

  #put(hash: number, entry: CacheEntry<K, V>): void {
    if (this.#most === 0) return;
    const half = this.#most / 2;
    // Of a single entry there is no older generation.
    if (this.#most === 1) this.#newer.clear();
    else if (this.#newer.size >= half || this.#characters >= half * CHARACTERS) {
      this.#older = this.#newer;
      this.#newer = new Map();
      this.#characters = 0;
    }
    if (typeof entry.key === 'string') this.#characters += entry.key.length;
    this.#newer.set(hash, entry);
  }
}

/** A ticket with its user as they were read. */
interface CachedTicket {
  readonly heldTicket: HeldTicket;
  readonly ticketPlace: number;
  readonly userPlace: number;
  /** When they were asked for, by the clock of the changes. */
  readonly since: number;
}

/**
 * The tickets that were looked up lately, each with its user. A change of a ticket is noted under its digest, one of a user under the
 * user's id, and one of the server's generation as a change of everything.
 */
export class TicketCache {
  readonly #changes: Changes;
  readonly #tickets: TwoGenerationCache<Digest, CachedTicket>;

  /** Keeps at most so many tickets. */
  constructor(changes: Changes, most?: number) {
    this.#changes = changes;
    this.#tickets = new TwoGenerationCache(most);
  }

  /** The ticket, if it is cached and none of the changes that were noted so far concerns it. */
  find(digest: Digest): HeldTicket | undefined {
    const cached = this.#tickets.get(digest);
    if (cached === undefined) return undefined;
    const { heldTicket, ticketPlace, userPlace, since } = cached;
    const isValid =
      this.#changes.isUnchanged(ticketPlace, since) && this.#changes.isUnchanged(userPlace, since);
    return isValid ? heldTicket : undefined;
  }

  /**
   * The ticket, if it is cached and passes, and still does once `upToDate` has told what was revoked. Otherwise it has to be read: one that does
   * not pass too, since another instance may have written a use of it, of which no server tells.
   */
  async confirm(
    digest: Digest,
    passes: (heldTicket: HeldTicket) => boolean,
    upToDate: () => Promise<void>,
  ): Promise<HeldTicket | undefined> {
    const cached = this.find(digest);
    if (cached === undefined || !passes(cached)) return undefined;
    await upToDate();
    const still = this.find(digest);
    return still !== undefined && passes(still) ? still : undefined;
  }

  /** Keeps a ticket that was asked for at this time of the changes. */
  keep(heldTicket: HeldTicket, since: number): void {
    const { digest } = heldTicket.ticket;
    const ticketPlace = this.#changes.placeOf(digest);
    const userPlace = this.#changes.placeOf(heldTicket.user.id);
    this.#tickets.set(digest, { heldTicket, ticketPlace, userPlace, since });
  }
}
