import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import type { Fuzzer } from './fuzzer.ts';

/** Milliseconds until the server must have closed a connection that the client has ended. */
const UNTIL_CLOSED = 15_000;
/** Milliseconds until the server must have closed a connection by itself. */
const UNTIL_ENDED = 300;
/** The number of repetitions in which a difference must show: on a busy machine two answers may be timed differently. */
const TIMES = 3;
const LATE = 'The server does not close a connection that the client has ended.';
/** The share of the time for this fuzzer: as much as for all readers together. */
const BOTH_PATHS = 17;
/** A request that ends the connection. */
const CLOSE = 'GET /api/server HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
/** A request after which Node reads the rest of the connection. It leaves nothing on the connection. */
const TO_NODE = 'OPTIONS /api/server HTTP/1.1\r\nHost: x\r\n\r\n';

const basic = (text: string) => `Authorization: Basic ${Buffer.from(text).toString('base64')}`;

function targets(ticket: string): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(
      `/api/login/ticket/${ticket}`,
      `/api/login/ticket/${ticket}.json?alf_ticket=${ticket}`,
      `/api/login/ticket/x?alf_ticket=${ticket}&alf_ticket=y`,
      `/alfresco/s/api/rules/actiondefs?alf_ticket=${ticket}`,
      '/api/server',
      '/api/server?format=html',
      '/api/login?u=admin',
      '/gate/any/%2F/thing?a=b',
      '/nowhere',
      '/%',
      'http://x/api/server',
      '*',
    ),
    fc.stringMatching(/^\/[!"$-~]{0,40}$/),
  );
}

function fields(ticket: string): fc.Arbitrary<string[]> {
  const usual = fc.constantFrom(
    'Accept: text/html',
    basic(`ROLE_TICKET:${ticket}`),
    basic('admin'),
    `Authorization: Bearer ${ticket}`,
    'Connection: keep-alive',
    'Connection: close',
    'Content-Length: 0',
    'Content-Length: x',
    'Expect: 100-continue',
    'Expect: x',
    'Upgrade: h2c',
    'Host: y',
    'If-None-Match: *',
    'Origin: http://y',
    'Sec-Fetch-Site: cross-site',
    'X-Requested-With: XMLHttpRequest',
  );
  const odd = fc.stringMatching(/^[A-Za-z0-9-]{1,8}:[\t -~\x80-\xff]{0,20}$/);
  return fc.array(fc.oneof({ weight: 3, arbitrary: usual }, odd), { maxLength: 5 });
}

/** Bytes to put at a wrong place in a head. */
const ODD = ['\r', '\n', '\r\n', '\r\n\r\n', '\0', ' ', '\t', ':', '\x7f', '\xe4', '0', 'a', '{}', ''];

function requests(ticket: string): fc.Arbitrary<string> {
  const method = fc.oneof(
    { weight: 6, arbitrary: fc.constant('GET') },
    fc.constantFrom('HEAD', 'OPTIONS', 'get', 'PRI'),
  );
  const version = fc.oneof(
    { weight: 9, arbitrary: fc.constant('HTTP/1.1') },
    fc.constantFrom('HTTP/1.0', 'HTTP/2.0', 'HTTP/1.1 '),
  );
  const host = fc.oneof({ weight: 9, arbitrary: fc.constant(['Host: x']) }, fc.constant([]));
  return fc
    .tuple(method, targets(ticket), version, host, fields(ticket))
    .map(([name, target, http, named, more]) =>
      [`${name} ${target} ${http}`, ...named, ...more, '', ''].join('\r\n'),
    );
}

/** Logins whose bodies are read. Those without a password cost no hash. */
const POSTS = fc
  .tuple(fc.constantFrom('{"username":"admin"}', '', '[', '{"username":"é"}'), fc.boolean())
  .map(([body, isChunked]) => {
    const length = Buffer.byteLength(body, 'latin1');
    const chunk = length > 0 ? `${length.toString(16)}\r\n${body}\r\n` : '';
    const [field, sent] = isChunked
      ? ['Transfer-Encoding: chunked', `${chunk}0\r\n\r\n`]
      : [`Content-Length: ${length}`, body];
    return `POST /api/login HTTP/1.1\r\nHost: x\r\n${field}\r\n\r\n${sent}`;
  });

/** The bytes that a client sends on one connection, and how it ends the connection. */
interface Conversation {
  /** Sent one after another. */
  readonly pieces: readonly string[];
  /** Ask the server to close. Otherwise the client ends its side after the last piece. */
  readonly asksToClose: boolean;
}

/** Cuts a text into pieces at these places. */
function cut(text: string, cuts: readonly number[]): string[] {
  const places = cuts.map((at) => at % (text.length + 1)).sort((one, other) => one - other);
  return [0, ...places].map((from, index) => text.slice(from, places[index] ?? text.length));
}

const CUTS = fc.array(fc.nat(10_000), { maxLength: 4 });

/**
 * Requests of which some cost a hash, so that later requests arrive before their answers. All are complete: a faulty request
 * behind an unanswered one may be answered or may only end the connection.
 */
const SLOW: fc.Arbitrary<Conversation> = fc
  .tuple(
    fc.array(
      fc
        .tuple(
          fc.constantFrom('/api/login?u=admin&pw=wrong', '/api/server', '/api/login/ticket/x'),
          fc.constantFrom('Accept: text/html', basic('admin:wrong'), 'Connection: keep-alive'),
        )
        .map(([target, field]) => `GET ${target} HTTP/1.1\r\nHost: x\r\n${field}\r\n\r\n`),
      { minLength: 1, maxLength: 4 },
    ),
    CUTS,
  )
  .map(([all, cuts]) => ({ pieces: cut(all.join(''), cuts), asksToClose: true }));

/** A request, in half of the cases with a few wrong bytes. */
function odd(request: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const spoilt = fc.record({ at: fc.nat(10_000), put: fc.constantFrom(...ODD), replaces: fc.boolean() });
  const spoils = fc.oneof(fc.constant([]), fc.array(spoilt, { minLength: 1, maxLength: 2 }));
  return fc.tuple(request, spoils).map(([start, all]) =>
    all.reduce((bytes, { at, put, replaces }) => {
      const place = at % (bytes.length + 1);
      return bytes.slice(0, place) + put + bytes.slice(place + (replaces ? 1 : 0));
    }, start),
  );
}

/** Requests on one connection: one by one, or cut anywhere into pieces. */
function pieces(ticket: string): fc.Arbitrary<string[]> {
  const request = fc.oneof({ weight: 6, arbitrary: odd(requests(ticket)) }, POSTS);
  const all = fc.array(request, { minLength: 1, maxLength: 4 });
  return fc.oneof(
    all,
    fc.tuple(all, CUTS).map(([requests, cuts]) => cut(requests.join(''), cuts)),
  );
}

/** Whether an answer is complete, by its Content-Length. */
function isWhole(answer: string): boolean {
  const end = answer.indexOf('\r\n\r\n');
  const length = Number(/^content-length: (\d+)/im.exec(answer.slice(0, end))?.[1] ?? 0);
  return end >= 0 && answer.length >= end + 4 + length;
}

/** All answers on one connection. With `byNode` Node's parser reads it from the first byte. */
async function answered(url: string, conversation: Conversation, byNode: boolean): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  let heard = '';
  socket.on('data', (bytes) => {
    heard += bytes.toString('latin1');
  });
  // A reset closes the connection as well.
  const closed = new Promise<void>((resolve) =>
    socket.on('error', () => undefined).once('close', () => resolve()),
  );
  await once(socket, 'connect');
  let before = 0;
  if (byNode) {
    socket.write(TO_NODE);
    while (!isWhole(heard)) await once(socket, 'data');
    before = heard.length;
  }
  const { pieces, asksToClose } = conversation;
  for (const piece of asksToClose ? [...pieces, CLOSE] : pieces) {
    if (socket.writable) socket.write(piece, 'latin1');
    for (let time = 0; time < 3; time += 1) await turn();
  }
  // The server keeps waiting when it takes the last request for a part of another one.
  if (asksToClose) await Promise.race([closed, pause(UNTIL_ENDED, undefined, { ref: false })]);
  socket.end();
  const late = setTimeout(() => socket.destroy(new Error(LATE)), UNTIL_CLOSED);
  await closed;
  clearTimeout(late);
  const answers = heard.slice(before);
  assert.notEqual(socket.errored?.message, LATE, `${LATE} It answered ${JSON.stringify(answers)}`);
  return answers;
}

/** Removes dates and ids, which differ in equal answers. */
const lasting = (answers: string) =>
  answers
    .replace(/^(Date|X-Request-Id): .*$/gm, '$1')
    .replace(/[0-9a-f]{8}-[0-9a-z]+/g, 'id')
    .replace(/\d\d:\d\d:\d\d(\.\d+)?/g, 'time');

/**
 * Removes the connection headers of the last answer. When the client has ended its side, it may be `close` or `keep-alive`:
 * that depends on whether the end or the answer comes first. The server closes in both cases.
 */
function withoutLastFate(answers: string): string {
  const last = answers.lastIndexOf('HTTP/1.1 ');
  return answers.slice(0, last) + answers.slice(last).replace(/^(Connection|Keep-Alive): .*\r\n/gm, '');
}

/** The plain reader and Node give the same answers: status, headers, body, and whether the connection closes. */
export function bothPaths(url: string, ticket: string): Fuzzer {
  const quick = fc.record({ pieces: pieces(ticket), asksToClose: fc.boolean() });
  const conversation = fc.oneof({ weight: 9, arbitrary: quick }, SLOW);
  const answers = async (said: Conversation) => {
    const both = await Promise.all([answered(url, said, false), answered(url, said, true)]);
    return both.map((text) => (said.asksToClose ? lasting(text) : withoutLastFate(lasting(text))));
  };
  const property = fc.asyncProperty(conversation, async (said) => {
    for (let left = TIMES; ; left -= 1) {
      const [plain, byNode] = await answers(said);
      if (left === 1) assert.equal(plain, byNode);
      if (left === 1 || plain === byNode) return;
    }
  });
  return { name: 'both-paths', weight: BOTH_PATHS, property: property as fc.IRawProperty<unknown> };
}
