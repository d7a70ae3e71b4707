import { type Event, minuteOf } from '../domain/event.ts';
import type { Digest } from '../domain/ticket.ts';

/** Tickets whose uses are gathered at most. */
const MOST_USES = 100_000;
/** Different tries gathered at most; further ones are counted together, under no name. */
const MOST_TALLIES = 10_000;
/** Uses or counts that one unit writes at most: many more would hold up other units, or pass a deadline of the store. */
const IN_ONE_UNIT = 1_000;

/** Tries that were refused alike, in one minute. */
interface Tally {
  readonly event: Event;
  times: number;
}

/** What is written in one unit. */
export interface WriteBatch {
  readonly uses: readonly (readonly [digest: Digest, at: number])[];
  readonly tallies: readonly (readonly [key: string, tally: Readonly<Tally>])[];
}

function first<T>(count: number, of: Iterable<T>): T[] {
  const found: T[] = [];
  for (const one of of) if (found.push(one) === count) break;
  return found;
}

/**
 * Buffers uses of tickets and counts of refusals until they are written. It is bounded: beyond its limit it drops the
 * oldest uses first, since a ticket that is still in use is noted again.
 */
export class WriteBuffer {
  /** Those that were noted last come last. */
  readonly #uses = new Map<Digest, number>();
  readonly #tallies = new Map<string, Tally>();

  /** Notes a use; of several of one ticket the latest. */
  use(digest: Digest, at: number): void {
    const noted = this.#uses.get(digest);
    if (noted === undefined) this.#makeRoom();
    else this.#uses.delete(digest);
    this.#uses.set(digest, Math.max(at, noted ?? at));
  }

  /** Counts `times` tries. */
  tally(event: Event, times = 1): void {
    const { at, kind, user, from, reason } = event;
    const own = [kind, user, from, reason, minuteOf(at)].join('\0');
    const hasRow = this.#tallies.has(own) || this.#tallies.size < MOST_TALLIES;
    const key = hasRow ? own : kind;
    const gathered = this.#tallies.get(key);
    if (gathered !== undefined) gathered.times += times;
    else this.#tallies.set(key, { event: hasRow ? event : { at, kind }, times });
  }

  /** Adds what was gathered after this. */
  add(later: WriteBuffer): void {
    for (const [digest, at] of later.#uses) this.use(digest, at);
    for (const { event, times } of later.#tallies.values()) this.tally(event, times);
  }

  /**
   * What to write next; nothing when nothing is left. Counts and uses come apart: tickets may lie elsewhere, and as long
   * as their uses cannot be written, counts that went with them would be added again and again.
   */
  next(): WriteBatch | undefined {
    if (this.#tallies.size > 0) return { uses: [], tallies: first(IN_ONE_UNIT, this.#tallies) };
    if (this.#uses.size > 0) return { uses: first(IN_ONE_UNIT, this.#uses), tallies: [] };
    return undefined;
  }

  /** Forgets the part that {@link next} gave: it is written. */
  drop({ uses, tallies }: WriteBatch): void {
    for (const [digest] of uses) this.#uses.delete(digest);
    for (const [key] of tallies) this.#tallies.delete(key);
  }

  #makeRoom(): void {
    if (this.#uses.size < MOST_USES) return;
    // In lots: the more was removed at the front of a map, the longer it takes to find its first.
    for (const [digest] of first(MOST_USES / 10, this.#uses)) this.#uses.delete(digest);
  }
}
