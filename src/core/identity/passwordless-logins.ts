import { ticketSourceOf } from '../domain/ticket-source.ts';

const MINUTE = 60_000;
/** How many sources are counted at a time. Beyond that the oldest are forgotten. */
const MOST_SOURCES = 10_000;

/** Limits the tickets of users without a password: per minute and source. */
export class PasswordlessLogins {
  readonly #aMinute: number;
  readonly #counts = new Map<string, number>();
  #minute = 0;

  /** A source gets `aMinute` tickets in a minute; any number if that is 0. */
  constructor(aMinute: number) {
    this.#aMinute = aMinute;
  }

  /** Counts a ticket and returns 0. If the source has none left, returns the milliseconds until it gets the next one. */
  wait(address: string, now: number): number {
    const minute = Math.floor(now / MINUTE);
    if (minute !== this.#minute) this.#counts.clear();
    this.#minute = minute;
    const source = ticketSourceOf(address);
    const count = this.#counts.get(source) ?? 0;
    if (this.#aMinute > 0 && count >= this.#aMinute) return (minute + 1) * MINUTE - now;
    this.#counts.set(source, count + 1);
    const [first] = this.#counts.keys();
    if (first !== undefined && this.#counts.size > MOST_SOURCES) this.#counts.delete(first);
    return 0;
  }
}
