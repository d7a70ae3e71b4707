import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { exchange, type Heard, type Sent } from '../../../core/http/scenario.ts';
import { configurationOn } from '../../../docs/configuration.ts';
import { freePort } from '../../../service/free-port.ts';
import { PASSWORD, startTestService, type TestService } from '../../../service/start.ts';
import { logIn } from '../../../service/talk.ts';

/** What reached the protected service: headers with their names as they were on the wire. */
export interface Reached {
  readonly line: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** The protected service, which notes what reaches it. */
async function startProtected(t: TestContext): Promise<{ port: number; reached: Reached[] }> {
  const reached: Reached[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const raw = request.rawHeaders;
    const headers = raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ''] as const] : []));
    reached.push({
      line: `${request.method} ${request.url}`,
      headers,
      body: Buffer.concat(chunks).toString(),
    });
    response.end('the protected page');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port: (server.address() as AddressInfo).port, reached };
}

const valuesOf = ({ headers }: Reached, pattern: RegExp) =>
  headers.filter(([name]) => pattern.test(name)).map(([, value]) => value);

/** Ports of this machine: where the proxy listens, where the gate and the protected service are. */
export type Ports = Readonly<Record<'proxy' | 'gate' | 'protected', number>>;

/** A proxy that asks the gate, as its how-to page sets it up. */
export interface GuidedProxy {
  /** The page, with its configuration in a block of this language. */
  readonly page: string;
  readonly language: string;
  /** The header in which it passes the original URI. */
  readonly uriHeader: string;
  /** Texts that are on the page once, and what replaces them here. */
  readonly inPlace: (ports: Ports) => Readonly<Record<string, string>>;
  readonly start: (t: TestContext, configuration: string, port: number) => Promise<string>;
}

/** A protected service behind a real proxy. */
export interface Guarded {
  readonly service: TestService;
  readonly ticket: string;
  readonly reached: Reached[];
  /** Where the proxy listens. */
  readonly url: string;
  ask(line: string, sent?: Sent): Promise<Heard>;
}

/** A protected service behind this proxy, and a live ticket of Mia Müller. */
export async function startGuarded(
  t: TestContext,
  proxy: GuidedProxy,
  env: Record<string, string> = {},
): Promise<Guarded> {
  const trusted = { TESSERA_TRUSTED_PROXIES: '127.0.0.1', TESSERA_GATE_URI_HEADER: proxy.uriHeader };
  const service = await startTestService(t, { ...trusted, ...env });
  await service.addUser('Mia Müller');
  const ticket = await logIn(service.url, 'Mia Müller');
  const { port, reached } = await startProtected(t);
  const listen = await freePort();
  const ports = { proxy: listen, gate: Number(new URL(service.url).port), protected: port };
  const configuration = configurationOn(proxy.page, proxy.language, proxy.inPlace(ports));
  const url = await proxy.start(t, configuration, listen);
  return { service, ticket, reached, url, ask: (line, sent) => exchange(url, line, sent) };
}

/** Asks with a live ticket of Mia Müller, and checks what reached the protected service. */
export async function assertLetThrough(
  { ask, reached }: Guarded,
  line: string,
  headers: Record<string, string> = {},
): Promise<void> {
  const { status, text } = await ask(line, { headers });
  assert.deepEqual([status, text], [200, 'the protected page']);
  const last = reached.at(-1) as Reached;
  assert.equal(last.line, line);
  assert.deepEqual(valuesOf(last, /^x-tessera-user$/i), ['Mia%20M%C3%BCller']);
  const [expires = ''] = valuesOf(last, /^x-tessera-ticket-expires$/i);
  assert.ok(Date.parse(expires) > Date.now(), expires);
  assert.deepEqual(valuesOf(last, /^authorization$/i), []);
}

/** Asks without a live ticket, and is answered 401 with the gate's challenge. */
export async function assertChallenged(
  { ask }: Guarded,
  line: string,
  headers: Record<string, string> = {},
): Promise<void> {
  const heard = await ask(line, { headers });
  assert.equal(heard.status, 401);
  assert.equal(heard.headers['www-authenticate'], 'Basic realm="Tessera"');
}

/** Names that a program may take for the gate's headers: with every sign that a name may hold in place of hyphens. */
export function forgedNames(): string[] {
  const signs = ['-', ..."!#$%&'*+.^_`|~"];
  const names = ['User', 'Groups', 'Email', 'Name', 'Ticket-Expires'].map((last) => `X-Tessera-${last}`);
  return [
    'x-TESSERA-user',
    ...names.flatMap((name) => signs.map((sign) => name.replaceAll('-', sign))),
    ...['X_Tessera-User', 'X-Tessera.User', 'X.Tessera-User'],
  ];
}

/** Opens the protected page with a browser's cookies, and checks that all but the ticket reach the protected service. */
export async function assertCookiesWithoutTicket({ ask, ticket, reached }: Guarded): Promise<void> {
  const kept = `tessera=${ticket}`;
  for (const [sent, arrives] of [
    [kept, ''],
    [`a=1; ${kept}; b=2`, 'a=1; b=2'],
    [`${kept}; b=2`, 'b=2'],
    [`a=1; ${kept}`, 'a=1'],
    [`a=1; my-tessera=2; __Host-${kept}`, 'a=1; my-tessera=2'],
    [`__Host-${kept}; tessera=x`, ''],
    [`tessera=x; __Host-${kept}; __Secure-tessera=y`, ''],
    [`__Host-${kept}; __Secure-${kept}`, ''],
  ] as const) {
    const { status } = await ask('GET /page', { headers: { cookie: sent } });
    assert.equal(status, 200, sent);
    const values = valuesOf(reached.at(-1) as Reached, /^cookie$/i).join();
    const pairs = values.split(';').map((pair) => pair.trim());
    assert.equal(pairs.filter((pair) => pair !== '').join('; '), arrives, sent);
  }
}

/** Logs Mia Müller in through the proxy, and returns the ticket. */
export async function logInThrough({ ask }: Guarded): Promise<string> {
  const body = JSON.stringify({ username: 'Mia Müller', password: PASSWORD });
  const { status, text } = await ask('POST /alfresco/service/api/login', { body });
  assert.equal(status, 200, text);
  return JSON.parse(text).data.ticket;
}
