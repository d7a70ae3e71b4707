import { join } from 'node:path';
import { ClientSecretBasic } from 'openid-client';
import {
  addApplication,
  PROVIDER,
  REDIRECT,
  RelyingParty,
} from '../../test/capabilities/oidc-provider/relying-party.ts';
import { openSqlite } from '../../test/service/stores.ts';
import { compared, type Side } from '../load/compared.ts';
import { load } from '../load/load.ts';
import { validations } from '../load/request-files.ts';
import { type Request, writeRequests } from '../load/requests.ts';
import { Browser } from '../peers/browser.ts';
import { type CodeFlow, clientOf, oidcProvider, signIn } from '../peers/oidc-provider.ts';
import { ticketOf, zipf } from '../seeding/draws.ts';
import { nameOf, PER_USER } from '../seeding/tickets.ts';
import { processorShare } from '../servers/processes.ts';
import { type Server, startTessera } from '../servers/servers.ts';
import type { Bench, Line, Row } from './row.ts';

const CONNECTIONS = 64;
const WORKING_SET = 10_000;
/** Users who sign in to the application: as many as the other provider has. */
const USERS = 32;
const PROTOCOL = '/auth/realms/alfresco/protocol/openid-connect';
/** Tokens that no round outlives. */
const APPLICATION = {
  trusted: true,
  accessTokens: 'opaque' as const,
  accessTokenLifetime: 86_400,
  flows: ['code' as const, 'client_credentials' as const],
};

async function registered(data: string): Promise<string> {
  const store = openSqlite(data);
  const secret = await addApplication({ store }, 'bench', APPLICATION);
  await store.close();
  return secret ?? '';
}

/** Signs users in to the application, and returns the questions about their access tokens. */
async function introspections(ours: Server, secret: string, headers: Record<string, string>) {
  const party = await RelyingParty.discover(ours, 'bench', ClientSecretBasic(secret));
  const requests: Request[] = [];
  for (let number = 0; number < USERS; number += 1) {
    const { access_token: token } = await party.signIn(party.visitor(), {}, nameOf(number));
    const body = new URLSearchParams({ token }).toString();
    requests.push({ method: 'POST', path: `${PROTOCOL}/token/introspect`, body, headers });
  }
  return requests;
}

/** Signs people in to a client again and again, each in a browser of their own that is signed in at the provider. */
async function signIns(flow: CodeFlow, pid: number, browserOf: (number: number) => Browser): Promise<Side> {
  const browsers = Array.from({ length: USERS }, (_, number) => browserOf(number));
  for (const browser of browsers) await signIn(browser, flow);
  return async (_, seconds) => {
    const shares = [processorShare(process.pid), processorShare(pid)] as const;
    const began = performance.now();
    let count = 0;
    const loop = async (browser: Browser) => {
      for (; performance.now() - began < seconds * 1_000; count += 1) await signIn(browser, flow);
    };
    await Promise.all(browsers.map(loop));
    const perSecond = (count * 1_000) / (performance.now() - began);
    const [loadShare, serverShare] = shares.map((share) => share());
    return { perSecond, loadShare, serverShare };
  };
}

async function measure(bench: Bench): Promise<Line[]> {
  const data = await bench.dataFolder();
  const secret = await registered(data);
  await using ours = await startTessera(data, { TESSERA_LOG_LEVEL: 'warn', ...PROVIDER });
  await using theirs = await oidcProvider.start(bench.folder);
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    authorization: `Basic ${btoa(`bench:${secret}`)}`,
  };
  const side = (server: Server, name: string, all: readonly Request[]): Side => {
    const requests = writeRequests(join(bench.folder, name), all);
    return (_, seconds) => load(server, { requests, connections: CONNECTIONS, seconds });
  };
  const asked = side(ours, 'introspections', await introspections(ours, secret, headers));
  const { validations: others } = await oidcProvider.logIn(theirs);
  const tokens = side(ours, 'tokens', [
    { method: 'POST', path: `${PROTOCOL}/token`, body: 'grant_type=client_credentials', headers },
  ]);
  const validate: Side = (round, seconds) => {
    const requests = validations(bench, zipf(bench.tickets, WORKING_SET), round);
    return load(ours, { requests, connections: CONNECTIONS, seconds });
  };
  const introspection = 'introspection of an access token of an application against';
  const here = { server: ours, paths: { authorize: `${PROTOCOL}/auth`, token: `${PROTOCOL}/token` } };
  const flow = { ...here, redirect: REDIRECT, headers };
  const browserOf = (number: number) => new Browser(nameOf(number), { tessera: ticketOf(number * PER_USER) });
  return [
    await compared(
      bench,
      { name: 'sign-in by the code flow with a live ticket against oidc-provider with its own memory' },
      await signIns(flow, ours.pid, browserOf),
      await signIns(clientOf(theirs), theirs.pid, (number) => new Browser(nameOf(number))),
    ),
    await compared(
      bench,
      { name: `${introspection} oidc-provider with its own memory` },
      asked,
      side(theirs, 'others', others),
    ),
    await compared(bench, { name: `${introspection} validate` }, asked, validate),
    await compared(bench, { name: 'a token by client credentials against validate' }, tokens, validate),
  ];
}

/** Compares the OpenID provider with the library's own memory, and with validations of tickets. */
export const provider: Row = { name: 'provider', measure };
