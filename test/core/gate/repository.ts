import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** What the how-to page has the repository's operator set. */
function propertiesOnPage(): Readonly<Record<string, string>> {
  const page = readFileSync(new URL('../../../docs/how-to/in-front-of-alfresco.md', import.meta.url), 'utf8');
  const [, block = ''] = /^```properties\n([\s\S]*?)^```$/m.exec(page) ?? [];
  return Object.fromEntries(block.split('\n').map((line) => line.split(/=(.*)/s).slice(0, 2)));
}

const BASE64 = /^[\w+/=\s-]*$/;

/**
 * Who asks, as the repository's external authentication takes it from a request: the trusted header before anything else,
 * then a ticket or a password, which it would check itself. This one is strict where a program might be: a name that
 * differs by its signs only counts as the same header.
 */
function userOf({ headers, rawHeaders, url = '' }: IncomingMessage, set: Readonly<Record<string, string>>) {
  const same = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');
  const trusted = set['external.authentication.proxyHeader'] ?? '';
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && same(name) === same(trusted));
  const given = at < 0 ? undefined : rawHeaders[at + 1];
  if (given) {
    const encoded = rawHeaders.some((name, index) => index % 2 === 0 && same(name) === 'remoteuserencode');
    const bytes = BASE64.test(given) ? given : Buffer.from(given, 'latin1').toString();
    const name = (encoded ? Buffer.from(given, 'base64').toString() : bytes).trim();
    const [, user] = new RegExp(set['external.authentication.userIdPattern'] ?? '^(.*)$').exec(name) ?? [];
    return user;
  }
  return headers.authorization || url.includes('alf_ticket') ? 'whoever the credentials name' : undefined;
}

/** A request that reached the repository. */
export interface Asked {
  readonly line: string;
  /** Whom the repository takes for the caller. */
  readonly user: string | undefined;
  readonly body: string;
  /** The whole head, names and values in turn. */
  readonly head: readonly string[];
}

/** A stand-in for an Alfresco repository that is set as the page says. It answers with the user, else 401. */
export async function startRepository(t: TestContext): Promise<{ port: number; asked: Asked[] }> {
  const set = propertiesOnPage();
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const user = userOf(request, set);
    const line = `${request.method} ${request.url}`;
    asked.push({ line, user, body: Buffer.concat(chunks).toString(), head: request.rawHeaders });
    response.writeHead(user === undefined ? 401 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ entry: { id: user } }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port: (server.address() as AddressInfo).port, asked };
}
