import type { Child } from '../processes.ts';

/** What to send: the requests of a file, one a line (see {@link ./requests.ts}), round and round. */
export interface Plan {
  readonly url: string;
  readonly requests: string;
  readonly connections: number;
  readonly seconds: number;
}

/** What a tool counted. */
export interface Counted {
  readonly answered: number;
  readonly seconds: number;
  /** Requests without an answer. */
  readonly lost: number;
  /** Requests with another answer than a 2xx. */
  readonly refused: number;
  /** Milliseconds that half of the answers, and 99 of 100, took at most. */
  readonly p50: number;
  readonly p99: number;
}

/** A program that makes load, in one thread of a process of its own. */
export interface Tool {
  readonly name: string;
  /** Starts it. It says `loading` once it has read its requests, and when it ends or is interrupted what it counted. */
  start(plan: Plan): Child;
}
