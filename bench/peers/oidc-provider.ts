import type { Request } from '../load/requests.ts';
import { inCheckout, type Server, startServer } from '../servers/servers.ts';
import { forUsers, PASSWORD, type Peer, send } from './peer.ts';

const REDIRECT = 'https://client.example/callback';
const SECRET = encodeURIComponent('a secret of this bench');
const FORM = {
  'content-type': 'application/x-www-form-urlencoded',
  authorization: `Basic ${Buffer.from(`bench:${SECRET}`).toString('base64')}`,
};
/** The most pages from the first one to the code: a login, a consent and redirects between them. */
const STEPS = 12;

const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

/** A minimal browser: it keeps cookies and follows no redirects. */
class Browser {
  readonly #cookies = new Map<string, string>();

  async #ask(url: URL, body?: string): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { cookie, ...(body && { 'content-type': FORM['content-type'] }) };
    const answer = await fetch(url, { redirect: 'manual', headers, ...(body && { method: 'POST', body }) });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
    return answer;
  }

  /** Goes through the provider's pages and returns the client's code. */
  async code(start: URL, login: string): Promise<string> {
    let [url, body]: [URL, string | undefined] = [start, undefined];
    for (let step = 0; step < STEPS; step += 1) {
      const answer = await this.#ask(url, body);
      body = undefined;
      const location = answer.headers.get('location');
      const text = await answer.text();
      if (location === null) {
        const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1];
        if (prompt === undefined) throw new Error(`${url.pathname} is answered ${answer.status}: ${text}`);
        body = form({ prompt, login, password: PASSWORD });
      } else {
        url = new URL(location, url);
        if (url.href.startsWith(REDIRECT)) return url.searchParams.get('code') ?? '';
      }
    }
    throw new Error('the pages for logging in lead nowhere');
  }
}

async function tokenFor(server: Server, name: string): Promise<string> {
  const asked = { client_id: 'bench', response_type: 'code', scope: 'openid', redirect_uri: REDIRECT };
  const code = await new Browser().code(new URL(`/auth?${form(asked)}`, server.url), name);
  const body = form({ grant_type: 'authorization_code', code, redirect_uri: REDIRECT });
  const answer = await send(server, { method: 'POST', path: '/token', body, headers: FORM });
  return ((await answer.json()) as { access_token: string }).access_token;
}

/** oidc-provider, where a client asks whether a token is live (RFC 7662). */
export const oidcProvider: Peer = {
  name: 'oidc-provider, introspection',
  start: () =>
    startServer(inCheckout('bin/node'), [inCheckout('bench/peers/serve/oidc-provider.js')], {
      NODE_ENV: 'production',
    }),
  async logIn(server) {
    const validations = await forUsers(async (name): Promise<Request> => {
      const body = form({ token: await tokenFor(server, name) });
      return { method: 'POST', path: '/token/introspection', body, headers: FORM };
    });
    return { validations };
  },
  isLive: (body) => body.includes('"active":true'),
  aims: { validations: 8 },
  notes: [
    'its tokens are in memory, where no restart and no second instance finds them; passwords are left to whoever embeds it, so it has no logins to measure',
  ],
};
