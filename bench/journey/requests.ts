import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** One request. */
export interface Sent {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: string;
  /** The ticket that a browser keeps. */
  readonly cookie?: string;
}

/** A client that keeps one connection, so that plain GETs on it stay with the plain reader. */
export class OneConnection implements Disposable {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #base: string;

  constructor(url: string) {
    this.#base = url;
  }

  /** Sends a request and returns the text of the answer. Throws when the server refuses it. */
  async send({ method, path, body, cookie }: Sent): Promise<string> {
    const sent = request(this.#base + path, {
      method,
      agent: this.#agent,
      headers: cookie === undefined ? {} : { cookie: `tessera=${cookie}` },
    });
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

/** The base path of web scripts. */
const SERVICE = '/alfresco/service';

/** The log-in of the administrator. */
export const loginWith = (password: string): Sent => ({
  method: 'POST',
  path: `${SERVICE}/api/login`,
  body: JSON.stringify({ username: 'admin', password }),
});

/** Makes the request to trace from a ticket and a password, by its name on the command line. */
export const JOURNEYS: Readonly<Record<string, (ticket: string, password: string) => Sent>> = {
  validate: (ticket) => ({
    method: 'GET',
    path: `${SERVICE}/api/login/ticket/${ticket}?alf_ticket=${ticket}`,
  }),
  login: (_, password) => loginWith(password),
  logout: (ticket) => ({
    method: 'DELETE',
    path: `${SERVICE}/api/login/ticket/${ticket}?alf_ticket=${ticket}`,
  }),
  actiondefs: (ticket) => ({ method: 'GET', path: `${SERVICE}/api/rules/actiondefs?alf_ticket=${ticket}` }),
  'user-page': (ticket) => ({ method: 'GET', path: '/portal/console/users/admin', cookie: ticket }),
};
