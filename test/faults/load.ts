import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { History } from '../histories/record.ts';
import { Administrator, PASSWORDS } from './administrator.ts';
import type { Book } from './book.ts';
import type { RoundRobin } from './fleet.ts';
import { type Manner, UserAgent } from './user-agent.ts';

/** Clients at a time. */
export const CLIENTS = 64;
/** Milliseconds that a client rests between two rounds, on average. */
const REST = 60;
const REST_WHEN_PUT_OFF = 100;
/** Longer, since a user is locked out after many refusals. */
const REST_WHEN_REFUSED = 400;

/** The user that a client logs in as. */
export const userOf = (client: number) => `user-${client}`;

/** The users that an administrator keeps changing. */
const ADMINISTERED = Array.from({ length: 8 }, (_, at) => userOf(CLIENTS - 1 - at));

/**
 * Clients that log in, validate and log out until they are stopped, each request at the instance whose turn it is. Meanwhile
 * an administrator changes some of their users, if there is to be one.
 */
export class Load {
  readonly #fleet: RoundRobin;
  readonly #agentOf: (client: string, manner?: Manner) => UserAgent;
  readonly #tickets: string[] = [];
  readonly #clients: Promise<unknown>;
  readonly #administrator: Administrator | undefined;
  #stopped = false;

  constructor(fleet: RoundRobin, book: Book, history: History, isAdministered: boolean) {
    this.#fleet = fleet;
    this.#agentOf = (client, manner) => new UserAgent(book, history, client, manner);
    const [name] = PASSWORDS[0];
    for (let client = 0; client < CLIENTS; client++)
      history
        .call({ act: 'password', user: userOf(client), password: name, client: 'set-up', place: 'the store' })
        .returned('yes');
    book.begin();
    this.#clients = Promise.all(Array.from({ length: CLIENTS }, (_, client) => this.#client(client)));
    if (isAdministered)
      this.#administrator = new Administrator(fleet, this.#agentOf('administrator'), ADMINISTERED);
  }

  /** Ends once every client has its last answer. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([this.#clients, this.#administrator?.stop()]);
  }

  async #client(client: number): Promise<void> {
    const user = userOf(client);
    const agent = this.#agentOf(`client ${client}`, {
      from: `127.${client + 1}.0.1`,
      isRefused: ADMINISTERED.includes(user),
    });
    await pause(Math.random() * REST);
    let password = 0;
    for (let round = client; !this.#stopped; round++) {
      const answer = await this.#round(agent, user, password, round % 2 === 0);
      // An administrator may have given the user the other one.
      if (answer === 'no') password = 1 - password;
      const rest = answer === 'no' ? REST_WHEN_REFUSED : REST_WHEN_PUT_OFF;
      await pause(answer === 'yes' ? 2 * Math.random() * REST : rest);
    }
  }

  /** Logs in at one instance, validates at the next, and logs out of every second ticket at the one after. */
  async #round(agent: UserAgent, user: string, password: number, ends: boolean) {
    const [first, second, third] = this.#fleet.nextThree();
    const login = await agent.logIn(first, user, PASSWORDS[password] as (typeof PASSWORDS)[number]);
    if (login?.ticket === undefined) return login?.answer;
    const { ticket } = login;
    this.#tickets.push(ticket);
    await agent.validate(second, ticket);
    if (ends && (await agent.logOut(third, ticket)) === 'yes')
      await Promise.all([first, second].map((instance) => agent.validate(instance, ticket)));
    const old = this.#tickets[randomInt(this.#tickets.length)] as string;
    await agent.validate(this.#fleet.next(), old);
    return login.answer;
  }
}
