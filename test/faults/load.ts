import { setTimeout as pause } from 'node:timers/promises';
import type { Book } from './book.ts';
import type { RoundRobin } from './fleet.ts';
import type { Ledger } from './ledger.ts';
import { UserAgent } from './user-agent.ts';

/** Clients at a time. */
export const CLIENTS = 64;
/** Milliseconds that a client rests between two rounds, on average. */
const REST = 60;
const REST_WHEN_PUT_OFF = 100;

/** The user that a client logs in as. */
export const userOf = (client: number) => `user-${client}`;

/** Clients that log in, validate and log out until they are stopped, each request at the instance whose turn it is. */
export class Load {
  readonly #fleet: RoundRobin;
  readonly #ledger: Ledger;
  readonly #agent: UserAgent;
  readonly #clients: Promise<unknown>;
  #stopped = false;

  constructor(fleet: RoundRobin, book: Book, ledger: Ledger) {
    this.#fleet = fleet;
    this.#ledger = ledger;
    this.#agent = new UserAgent(book, ledger);
    book.begin();
    this.#clients = Promise.all(Array.from({ length: CLIENTS }, (_, client) => this.#client(client)));
  }

  /** Ends once every client has its last answer. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#clients;
  }

  async #client(client: number): Promise<void> {
    await pause(Math.random() * REST);
    for (let round = client; !this.#stopped; round++) {
      const done = await this.#round(client, round % 2 === 0);
      await pause(done ? 2 * Math.random() * REST : REST_WHEN_PUT_OFF);
    }
  }

  /** Logs in at one instance, validates at the next, and logs out of every second ticket at the one after. */
  async #round(client: number, ends: boolean): Promise<boolean> {
    const [first, second, third] = this.#fleet.nextThree();
    const entry = await this.#agent.logIn(first, userOf(client));
    if (entry === undefined) return false;
    await this.#agent.validate(second, entry);
    if (ends && (await this.#agent.logOut(third, entry)))
      await Promise.all([first, second].map((instance) => this.#agent.validate(instance, entry)));
    const old = this.#ledger.any();
    if (old !== undefined) await this.#agent.validate(this.#fleet.next(), old);
    return true;
  }
}
