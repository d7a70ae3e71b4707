import { randomInt } from 'node:crypto';

/**
 * What was acknowledged of a ticket: its login (`live`), or its logout (`dead`). In between (`ending`) a logout is
 * under way, or was never answered: nobody can know.
 */
export type State = 'live' | 'ending' | 'dead';

/** A ticket that a client was given. */
export interface Entry {
  readonly ticket: string;
  /** Epoch milliseconds of the login's acknowledgement. */
  readonly issuedAt: number;
  state: State;
  /** Epoch milliseconds of the logout's acknowledgement. */
  endedAt?: number;
}

/** Every ticket that was acknowledged to a client. */
export class Ledger {
  readonly entries: Entry[] = [];

  loggedIn(ticket: string): Entry {
    const entry: Entry = { ticket, issuedAt: Date.now(), state: 'live' };
    this.entries.push(entry);
    return entry;
  }

  loggedOut(entry: Entry): void {
    entry.state = 'dead';
    entry.endedAt = Date.now();
  }

  /** One of all that there ever were. */
  any(): Entry | undefined {
    return this.entries.length === 0 ? undefined : this.entries[randomInt(this.entries.length)];
  }

  count(state: State): number {
    return this.entries.filter((entry) => entry.state === state).length;
  }
}
