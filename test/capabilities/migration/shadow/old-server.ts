import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import type { ServerCertificate } from '../../../service/certified.ts';

/** A user of the old server. */
export interface OldUser {
  readonly password: string;
  /** The spelling there, if it differs from the key. */
  readonly userName?: string;
  readonly isAdmin?: unknown;
  readonly isGuest?: unknown;
  /** Further members of the person. */
  readonly more?: object;
  /** The groups that it shows when it is asked for them. */
  readonly groups?: readonly unknown[];
  /** The description of the person, in place of all that. */
  readonly person?: object;
}

/** A login that the old server received. */
export interface SeenLogin {
  readonly username: string;
  readonly password: string;
}

type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

/** A fake old server: logs in and describes persons as the reference does, and records requests. */
export class OldServer {
  readonly users = new Map<string, OldUser>();
  readonly logins: SeenLogin[] = [];
  readonly persons: string[] = [];
  /** The most logins that were in flight at once. */
  most = 0;
  #underWay = 0;
  /** Runs before each answer. */
  before: () => Promise<void> = async () => undefined;
  /** Answers in place of its own. */
  instead: Behaviour | undefined;
  url = '';

  async start(t: TestContext, tls?: ServerCertificate): Promise<this> {
    const handle = (request: IncomingMessage, response: ServerResponse) =>
      void this.#handle(request, response);
    const server = tls ? createTlsServer(tls, handle) : createServer(handle);
    await new Promise<void>((done) => {
      server.listen(0, '127.0.0.1', done);
    });
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    this.url = `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}/alfresco`;
    return this;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    this.#underWay += 1;
    this.most = Math.max(this.most, this.#underWay);
    const isLogin = request.url === '/alfresco/service/api/login';
    if (isLogin) this.logins.push(JSON.parse(body));
    response.on('close', () => {
      this.#underWay -= 1;
    });
    await this.before();
    if (this.instead) this.instead(request, response);
    else if (isLogin) this.#logIn(JSON.parse(body), response);
    else this.#person(request, response);
  }

  #logIn({ username, password }: SeenLogin, response: ServerResponse): void {
    const key = username.toLowerCase();
    if (this.users.get(key)?.password !== password) answer(response, 403, { status: { code: 403 } });
    else answer(response, 200, { data: { ticket: `TICKET_of_${key}` } });
  }

  #person({ url = '', headers }: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(url, this.url);
    const name = decodeURIComponent(pathname.split('/').at(-1) ?? '');
    this.persons.push(name);
    const key = name.toLowerCase();
    const held = Buffer.from((headers.authorization ?? '').replace('Basic ', ''), 'base64').toString();
    const user = this.users.get(key);
    if (held !== `ROLE_TICKET:TICKET_of_${key}` || user === undefined) {
      answer(response, 401, {});
      return;
    }
    const { userName = key, isAdmin = false, isGuest = false, more } = user;
    const groups = searchParams.get('groups') === 'true' ? { groups: user.groups ?? [] } : {};
    const capabilities = { isAdmin, isGuest, isMutable: true };
    answer(response, 200, user.person ?? { userName, capabilities, ...more, ...groups });
  }
}

export function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
