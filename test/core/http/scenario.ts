import assert from 'node:assert/strict';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import type { TestContext } from 'node:test';
import { assertDescribed } from '../../service/described.ts';
import { PASSWORD } from '../../service/start.ts';

/** Settings for tables with many refused logins: no login waits. */
export const NOBODY_WAITS = { TESSERA_THROTTLE_AFTER: '0', TESSERA_LOCKOUT_THRESHOLD: '0' };

/** A password that no user has. */
export const WRONG = 'never-anyones-password';

/** What no answer may hold: passwords, stack traces, places in the source or on the disk. */
const NEVER = [PASSWORD, WRONG, '\n    at ', 'node:internal', 'node_modules', '.ts:', '.db', process.cwd()];

/** A request as it is on the wire. */
export interface Sent {
  readonly headers?: OutgoingHttpHeaders | undefined;
  readonly body?: string | Buffer | undefined;
}

/** An answer, read whole. Names of headers are in lower case. */
export interface Heard {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** One exchange on the wire, and what is promised of its answer. */
export interface Scenario extends Sent {
  /** The promise, as a sentence. */
  readonly name: string;
  /** Method and target as they are on the request line, such as `GET /api/login?u=admin`. */
  readonly ask: string;
  readonly status: number;
  /** The media type, to the byte. */
  readonly type?: string;
  /** The message of the status document, whatever its format. */
  readonly message?: string | RegExp;
  /** The whole body. */
  readonly whole?: string | RegExp;
  /** Headers of the answer: the text, a shape, or `null` for one that must not be there. */
  readonly answers?: Readonly<Record<string, string | RegExp | null>>;
  readonly holds?: readonly string[];
  readonly lacks?: readonly string[];
}

/** The method that a POST carries, if it carries another. */
function meant(method: string, headers: OutgoingHttpHeaders): string {
  const carried = method === 'POST' ? headers['x-http-method-override'] : undefined;
  return (carried?.toString() || method).toUpperCase();
}

/** Sends one request on a new connection, with its target as it is written, and reads the whole answer. */
export function exchange(base: string, ask: string, { headers = {}, body }: Sent = {}): Promise<Heard> {
  const [method, path] = ask.split(/ (.*)/s) as [string, string];
  const { hostname, port } = new URL(base);
  const chunked = 'transfer-encoding' in headers;
  const length = body === undefined || chunked ? {} : { 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sent = request({
      agent: false,
      hostname,
      port,
      method,
      path,
      headers: { ...length, ...headers },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const heard = { status: response.statusCode as number, headers: response.headers, text };
        const type = heard.headers['content-type'];
        try {
          assertDescribed(new URL(base).origin, {
            method: meant(method, headers),
            target: path,
            ...heard,
            type,
          });
          resolve(heard);
        } catch (departure) {
          reject(departure);
        }
      });
    });
    sent.end(body);
  });
}

const unescaped = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** The message of a status document in json, xml or html, or of an RFC 9457 problem. */
export function messageIn({ headers, text }: Heard): string {
  const type = headers['content-type'] ?? '';
  if (type.includes('problem+json')) return JSON.parse(text).detail;
  if (type.includes('json')) return JSON.parse(text).message;
  const shape = type.includes('html') ? /<dt>Message<\/dt><dd>([^<]*)</ : /<message>([^<]*)<\/message>/;
  return unescaped(shape.exec(text)?.[1] ?? '');
}

/** What holds for every answer of any status. */
export function assertSound({ status, headers, text }: Heard): void {
  assert.equal(headers['cache-control'], 'no-cache, no-store');
  assert.equal(headers.pragma, 'no-cache');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.match(headers['x-request-id'] as string, /^[0-9a-f]{8}-[0-9a-z]+$/);
  assert.equal(headers['set-cookie'], undefined);
  assert.equal(headers['www-authenticate'] !== undefined, status === 401, 'a challenge comes with 401 alone');
  if (status !== 204) assert.equal(headers.allow !== undefined, status === 405, 'Allow comes with 405');
  if (status === 503) assert.match(headers['retry-after'] ?? '', /^\d+$/);
  if (status >= 400) assert.ok(!text.includes('TICKET_'), 'an error echoes a ticket');
  const everything = JSON.stringify(headers) + text;
  for (const secret of NEVER) assert.ok(!everything.includes(secret), `the answer holds ${secret}`);
}

function assertText(actual: string | undefined, expected: string | RegExp | null, what: string): void {
  if (expected === null) assert.equal(actual, undefined, what);
  else if (typeof expected === 'string') assert.equal(actual, expected, what);
  else assert.match(actual ?? '', expected, what);
}

/** Compares an answer with its scenario. */
export function assertAnswered(heard: Heard, scenario: Scenario): void {
  const { status, type, message, whole, answers = {}, holds = [], lacks = [] } = scenario;
  assert.equal(heard.status, status, heard.text);
  assertSound(heard);
  if (type !== undefined) assert.equal(heard.headers['content-type'], type);
  if (message !== undefined) assertText(messageIn(heard), message, 'message');
  if (whole !== undefined) assertText(heard.text, whole, 'body');
  for (const [name, expected] of Object.entries(answers))
    assertText(heard.headers[name]?.toString(), expected, name);
  for (const part of holds) assert.ok(heard.text.includes(part), `${part} is missing in ${heard.text}`);
  for (const part of lacks) assert.ok(!heard.text.includes(part), `${part} is in ${heard.text}`);
}

/** Plays the scenarios one after another, each as its own test. */
export async function play(t: TestContext, base: string, scenarios: readonly Scenario[]): Promise<void> {
  for (const scenario of scenarios) {
    await t.test(scenario.name, async () => {
      assertAnswered(await exchange(base, scenario.ask, scenario), scenario);
    });
  }
}
