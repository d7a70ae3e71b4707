import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** One request below the base path of web scripts. */
export interface Sent {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: string;
}

/** A client with one connection, which it keeps. A connection that carried nothing but plain GETs is read without Node's HTTP. */
export class OneConnection implements Disposable {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #base: string;

  constructor(url: string) {
    this.#base = `${url}/alfresco/service`;
  }

  /** Sends a request and gives the text of its answer. Throws where it is refused. */
  async send({ method, path, body }: Sent): Promise<string> {
    const sent = request(this.#base + path, { method, agent: this.#agent });
    sent.end(body);
    const [response] = await once(sent, 'response');
    const answer = await text(response);
    if (response.statusCode >= 400) throw new Error(`${method} ${path}: ${response.statusCode} ${answer}`);
    return answer;
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

/** The log-in of the administrator. */
export const loginWith = (password: string): Sent => ({
  method: 'POST',
  path: '/api/login',
  body: JSON.stringify({ username: 'admin', password }),
});

/** The requests that can be followed, by the name that the command line takes: each is made with a ticket, or a password. */
export const JOURNEYS: Readonly<Record<string, (ticket: string, password: string) => Sent>> = {
  validate: (ticket) => ({ method: 'GET', path: `/api/login/ticket/${ticket}?alf_ticket=${ticket}` }),
  login: (_, password) => loginWith(password),
  logout: (ticket) => ({ method: 'DELETE', path: `/api/login/ticket/${ticket}?alf_ticket=${ticket}` }),
  actiondefs: (ticket) => ({ method: 'GET', path: `/api/rules/actiondefs?alf_ticket=${ticket}` }),
};
