import { ticketSourceOf } from '../domain/ticket-source.ts';

const MINUTE = 60_000;
/** Sources that are counted at a time; of more the first are forgotten. */
const MOST_SOURCES = 10_000;

/** Counts the tickets of users without a password in each minute, for each source of them. */
export class PasswordlessLogins {
  readonly #aMinute: number;
  readonly #counts = new Map<string, number>();
  #minute = 0;

  /** A source gets so many `aMinute`; any number where that is 0. */
  constructor(aMinute: number) {
    this.#aMinute = aMinute;
  }

  /** Counts a ticket; returns the milliseconds to wait instead where the source has had as many as it gets. */
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
