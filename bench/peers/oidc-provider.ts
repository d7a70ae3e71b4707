import type { Request } from '../load/requests.ts';
import { inCheckout, type Server, startServer } from '../servers/servers.ts';
import { Browser } from './browser.ts';
import { forUsers, type Peer, send } from './peer.ts';

const REDIRECT = 'https://client.example/callback';
const SECRET = encodeURIComponent('a secret of this bench');
const FORM = {
  'content-type': 'application/x-www-form-urlencoded',
  authorization: `Basic ${Buffer.from(`bench:${SECRET}`).toString('base64')}`,
};
const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

/** A provider, and a client of it whose secret stands in the headers. */
export interface CodeFlow {
  readonly server: Pick<Server, 'url'>;
  readonly paths: { readonly authorize: string; readonly token: string };
  readonly redirect: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The client of {@link oidcProvider}. */
export const clientOf = (server: Server): CodeFlow => ({
  server,
  paths: { authorize: '/auth', token: '/token' },
  redirect: REDIRECT,
  headers: FORM,
});

/** Signs the person in front of the browser in to the client, and returns the access token. */
export async function signIn(browser: Browser, flow: CodeFlow): Promise<string> {
  const { server, paths, redirect, headers } = flow;
  const query = form({ client_id: 'bench', response_type: 'code', scope: 'openid', redirect_uri: redirect });
  const code = await browser.code(new URL(`${paths.authorize}?${query}`, server.url), redirect);
  const body = form({ grant_type: 'authorization_code', code, redirect_uri: redirect });
  const answer = await send(server, { method: 'POST', path: paths.token, body, headers });
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
      const body = form({ token: await signIn(new Browser(name), clientOf(server)) });
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
