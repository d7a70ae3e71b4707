/**
 * Records what clients did: for each operation the moment of its call and that of its return, as the client sees them. Such a
 * history is what linearizability is defined over (Herlihy and Wing, "Linearizability: a correctness condition for concurrent
 * objects", 1990).
 */

/** What a client can do that concerns tickets. Passwords are told apart by names, so that no history holds one. */
export type Operation =
  | { readonly act: 'login'; readonly user: string; readonly password?: string }
  | { readonly act: 'validate' | 'log-out'; readonly ticket: string }
  /** The ticket reaches its end by age or inactivity. Call it once that may happen, let it return once it must have. */
  | { readonly act: 'expire'; readonly ticket: string }
  | {
      /** `lock` and `unlock` are done by hand: failures and right passwords neither begin nor end such a lock. */
      readonly act: 'end-all' | 'disable' | 'enable' | 'lock' | 'unlock' | 'remove';
      readonly user: string;
    }
  /** `keeps` is the ticket that survives: that of the user who changed the own password. */
  | { readonly act: 'password'; readonly user: string; readonly password: string; readonly keeps?: string }
  /** All tickets of all users end. */
  | { readonly act: 'generation' };

/** Whether the service did, or found valid, what it was asked for. A fault (503) is no answer. */
export type Answer = 'yes' | 'no';

/** An operation with its place in the history. It lasts without end if it has no answer. */
export interface Interval {
  readonly client: string;
  /** The instance that the client called. */
  readonly place: string;
  readonly operation: Operation;
  /** The ticket that the operation is about; of a login, the one that it returned. */
  readonly ticket: string | undefined;
  readonly answer: Answer | undefined;
  /** Positions in the order of all calls and returns. `end` is `Infinity` without an answer. */
  readonly begin: number;
  readonly end: number;
  /** The same by the clock, in milliseconds. */
  readonly calledAt: number;
  readonly returnedAt: number;
  /** Whether what was seen may contradict what was acknowledged: see {@link History.allowStale}. */
  readonly mayBeStale: boolean;
}

/** An operation that was called. Leave it without a return if no answer came. */
export interface Call {
  /** `ticket` is what a login returned. */
  returned(answer: Answer, ticket?: string): void;
}

/** An operation as {@link History.call} takes it. */
export type CallBy = Operation & { readonly client: string; readonly place: string };

type Changing = { -readonly [K in keyof Interval]: Interval[K] };

/**
 * The history of one process that has all clients: its order of calls and returns is exact, however coarse the clock is. The
 * clock must never go back; its milliseconds are for people and for windows.
 */
export class History {
  readonly #clock: () => number;
  readonly #intervals: Changing[] = [];
  #position = 0;
  #staleUntil = Number.NEGATIVE_INFINITY;

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
  }

  /** Call this just before the request is sent. */
  call({ client, place, ...operation }: CallBy): Call {
    const interval: Changing = {
      client,
      place,
      operation,
      ticket: 'ticket' in operation ? operation.ticket : undefined,
      answer: undefined,
      begin: this.#next(),
      end: Number.POSITIVE_INFINITY,
      calledAt: this.#clock(),
      returnedAt: Number.POSITIVE_INFINITY,
      mayBeStale: false,
    };
    this.#intervals.push(interval);
    return {
      returned: (answer, ticket = interval.ticket) => {
        if (interval.answer !== undefined) throw new Error(`${operation.act} has returned already`);
        interval.answer = answer;
        interval.ticket = ticket;
        interval.end = this.#next();
        interval.returnedAt = this.#clock();
        interval.mayBeStale = interval.returnedAt < this.#staleUntil;
      },
    };
  }

  /** From now on for so many milliseconds, what is seen may be old. What is acknowledged has to hold all the same. */
  allowStale(length: number): void {
    this.#staleUntil = this.#clock() + length;
  }

  /** All operations so far, in the order of their calls. */
  get intervals(): readonly Interval[] {
    return this.#intervals;
  }

  #next(): number {
    this.#position += 1;
    return this.#position;
  }
}
