import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { nameOf, PASSWORD } from '../seeding/tickets.ts';

/** The kinds of requests of the load. */
type Kind = 'validation' | 'login' | 'logout' | 'wrong password';

/** The shares of a hundred requests. Logins and logouts are equal, so that the number of live tickets stays the same. */
const OF_A_HUNDRED: readonly (readonly [Kind, number])[] = [
  ['login', 2],
  ['logout', 2],
  ['wrong password', 1],
  ['validation', 95],
];

const order: readonly Kind[] = Array.from({ length: 100 }, (_, at) => {
  // 37 and 100 have no common divisor, so this spreads the kinds and uses each place once.
  let place = (at * 37) % 100;
  for (const [kind, share] of OF_A_HUNDRED) {
    if (place < share) return kind;
    place -= share;
  }
  return 'validation';
});

/** The number of users. */
export const USERS = 2_000;

/** Milliseconds for an answer; other work on the machine may take some. */
const DEADLINE = 30_000;

interface Answer {
  readonly status: number | undefined;
  readonly body: string;
}

/** Sends a mix of requests and checks each answer. */
export class Mix {
  readonly counts: Record<Kind, number> = { validation: 0, login: 0, logout: 0, 'wrong password': 0 };
  /** The first wrong answers. */
  readonly faults: string[] = [];
  faulty = 0;
  readonly #urls: readonly URL[];
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });
  readonly #tickets: string[] = [];
  #at = 0;
  #asked = 0;

  /** @param urls The instances, which are asked in turn: a ticket of one is used at the others. */
  constructor(urls: readonly string[]) {
    this.#urls = urls.map((url) => new URL(url));
  }

  /** The number of live tickets. */
  get tickets(): number {
    return this.#tickets.length;
  }

  /** Logs a user in. */
  async logIn(): Promise<void> {
    const username = nameOf(this.counts.login % USERS);
    await this.#judged('login', 200, 'POST', '/api/login', { username, password: PASSWORD });
  }

  /** Sends the next request and checks its answer. */
  async next(): Promise<void> {
    const kind = order[this.#at % order.length] as Kind;
    this.#at += 1;
    if (kind === 'login') return await this.logIn();
    if (kind === 'wrong password') {
      const username = nameOf(this.counts[kind] % USERS);
      return await this.#judged(kind, 403, 'POST', '/api/login', { username, password: 'not this one' });
    }
    // Log-outs take the oldest tickets, validations the newer half, so that no validation meets a running log-out.
    const older = Math.floor(this.#tickets.length / 2);
    const newer = this.#tickets.length - older;
    const ticket = kind === 'logout' ? this.#tickets.shift() : this.#tickets[older + (this.#at % newer)];
    if (ticket === undefined) return await this.logIn();
    const path = `/api/login/ticket/${ticket}?alf_ticket=${ticket}`;
    await this.#judged(kind, 200, kind === 'logout' ? 'DELETE' : 'GET', path);
  }

  close(): void {
    this.#agent.destroy();
  }

  async #judged(kind: Kind, expected: number, method: string, path: string, body?: object): Promise<void> {
    this.counts[kind] += 1;
    try {
      const answer = await this.#ask(method, path, expected, body);
      if (answer.status !== expected) this.fault(`${kind}: ${answer.status} ${answer.body}`);
      else if (kind === 'login')
        this.#tickets.push((JSON.parse(answer.body) as { data: { ticket: string } }).data.ticket);
    } catch (error) {
      this.fault(`${kind}: ${(error as Error).message}`);
    }
  }

  /** Counts a fault, and keeps the text of the first ones. */
  fault(text: string): void {
    this.faulty += 1;
    if (this.faults.length < 10) this.faults.push(text.replace(/TICKET_[0-9a-f]+/g, 'TICKET_…'));
  }

  /** A local address for a wrong password. From one address they would throttle the right passwords as well. */
  #elsewhere(): string {
    const number = this.counts['wrong password'];
    return `127.1.${Math.floor(number / 250) % 250}.${1 + (number % 250)}`;
  }

  async #ask(method: string, path: string, expected: number, body?: object): Promise<Answer> {
    this.#asked += 1;
    const { hostname, port } = this.#urls[this.#asked % this.#urls.length] as URL;
    const from =
      expected === 200 ? { agent: this.#agent } : { agent: false, localAddress: this.#elsewhere() };
    const asked = request({ hostname, port, method, path, timeout: DEADLINE, ...from });
    asked.once('timeout', () => asked.destroy(new Error('no answer')));
    asked.end(body && JSON.stringify(body));
    const [response] = await once(asked, 'response');
    return { status: response.statusCode, body: await text(response) };
  }
}
