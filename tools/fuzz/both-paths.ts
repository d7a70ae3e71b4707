import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import type { Fuzzer } from './fuzzer.ts';

/** Milliseconds until a connection has to be closed that the client has ended. */
const UNTIL_CLOSED = 15_000;
/** Milliseconds that the server has to close by itself. */
const UNTIL_ENDED = 300;
/** A difference counts when it shows so many times in a row: on a busy machine two answers may come at another time. */
const TIMES = 3;
const LATE = 'The server does not close a connection that the client has ended.';
/** Its share of the time: as much as all readers together. */
const BOTH_PATHS = 17;
/** A request that ends the connection. */
const CLOSE = 'GET /api/server HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
/** Has Node read all that follows on a connection, and leaves nothing on it. */
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

/** Bytes that a head may hold at a wrong place. */
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

/** Logins whose bodies are read before they are answered: what lacks a password costs no hash. */
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

/** What a client sends on one connection, and how it ends the connection. */
interface Conversation {
  /** Each sent by itself. */
  readonly pieces: readonly string[];
  /** Whether it asks the server to close; otherwise it ends its own side behind the last piece. */
  readonly asksToClose: boolean;
}

/** Cuts a text into pieces at these places. */
function cut(text: string, cuts: readonly number[]): string[] {
  const places = cuts.map((at) => at % (text.length + 1)).sort((one, other) => one - other);
  return [0, ...places].map((from, index) => text.slice(from, places[index] ?? text.length));
}

const CUTS = fc.array(fc.nat(10_000), { maxLength: 4 });

/**
 * Requests some of which cost a hash, so that what comes behind them comes before their answers. All are whole: whether
 * bytes that are no request are answered, or only end the connection, depends on whether an answer is awaited.
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

/** A request, half of the time with a few odd bytes in it. */
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

/** What a client sends on one connection: each request by itself, or all in pieces that are cut anywhere. */
function pieces(ticket: string): fc.Arbitrary<string[]> {
  const request = fc.oneof({ weight: 6, arbitrary: odd(requests(ticket)) }, POSTS);
  const all = fc.array(request, { minLength: 1, maxLength: 4 });
  return fc.oneof(
    all,
    fc.tuple(all, CUTS).map(([requests, cuts]) => cut(requests.join(''), cuts)),
  );
}

/** Whether an answer has come with a body of the length that it tells. */
function isWhole(answer: string): boolean {
  const end = answer.indexOf('\r\n\r\n');
  const length = Number(/^content-length: (\d+)/im.exec(answer.slice(0, end))?.[1] ?? 0);
  return end >= 0 && answer.length >= end + 4 + length;
}

/** All that is answered in a conversation; `byNode` has Node's parser read it from the first byte on. */
async function answered(url: string, conversation: Conversation, byNode: boolean): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  let heard = '';
  socket.on('data', (bytes) => {
    heard += bytes.toString('latin1');
  });
  // A connection that is reset is closed as well.
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
  // The server waits on where it takes the last request for a part of another.
  if (asksToClose) await Promise.race([closed, pause(UNTIL_ENDED, undefined, { ref: false })]);
  socket.end();
  const late = setTimeout(() => socket.destroy(new Error(LATE)), UNTIL_CLOSED);
  await closed;
  clearTimeout(late);
  const answers = heard.slice(before);
  assert.notEqual(socket.errored?.message, LATE, `${LATE} It answered ${JSON.stringify(answers)}`);
  return answers;
}

/** Without what differs in answers that are alike: when, and under which id, each was given. */
const lasting = (answers: string) =>
  answers
    .replace(/^(Date|X-Request-Id): .*$/gm, '$1')
    .replace(/[0-9a-f]{8}-[0-9a-z]+/g, 'id')
    .replace(/\d\d:\d\d:\d\d(\.\d+)?/g, 'time');

/**
 * Without what the last answer says of the connection. It may say `close` or `keep-alive` where the client has ended its
 * side: that depends on whether its end or the answer comes first, and the server closes in either case.
 */
function withoutLastFate(answers: string): string {
  const last = answers.lastIndexOf('HTTP/1.1 ');
  return answers.slice(0, last) + answers.slice(last).replace(/^(Connection|Keep-Alive): .*\r\n/gm, '');
}

/** The plain reader and Node answer every conversation alike: in status, fields, body and what becomes of the connection. */
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
