import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { isIPv4, isIPv6, type Socket } from 'node:net';
import fc from 'fast-check';
import { isRefusal } from '../../src/core/domain/refusal.ts';
import { languageAmong } from '../../src/core/gate/language-among.ts';
import { ClientAddresses } from '../../src/core/http/client-address.ts';
import { presentedIn, ticketsInUri } from '../../src/core/http/credentials.ts';
import { csrfFault, isFromPageScript } from '../../src/core/http/csrf.ts';
import { isHost } from '../../src/core/http/host.ts';
import { readForm, readJson } from '../../src/core/http/request-body.ts';
import { MOST_VALUES, parseTarget } from '../../src/core/http/resolve-request.ts';
import type { Fuzzer } from './fuzzer.ts';
import { bytes, spoilt, text } from './inputs.ts';

const TICKET = `TICKET_${'0a'.repeat(20)}`;

/** The result of `work`; undefined when it throws. */
function orNothing<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** The query as the platform reads it, for valid escapes only: each argument with its distinct values. */
function queryOf(query: string): Map<string, string[]> {
  const read = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(`?${query}`)) {
    const values = read.get(name) ?? [];
    if (!values.includes(value) && values.length < MOST_VALUES) values.push(value);
    read.set(name, values);
  }
  return read;
}

const target = fc.property(
  spoilt(fc.constantFrom('/api/login?u=admin&pw=a%20b', '/a%2Fb/c.json?x=1&x=2&=&&y', 'http://x/a?b', '/')),
  (url) => {
    const read = parseTarget(url);
    const [path = '', ...rest] = url.replace(/^https?:\/\/[^/?]*/i, '').split('?');
    const query = rest.join('?');
    // The text before the first slash is no segment.
    const [, ...named] = path.split('/');
    const segments = orNothing(() => named.map(decodeURIComponent));
    const isDecodable = orNothing(() => decodeURIComponent(query)) !== undefined;
    if (segments === undefined || !isDecodable) {
      assert.ok(isRefusal(read));
      return;
    }
    assert.ok(!isRefusal(read));
    assert.deepEqual(read.segments, segments);
    // A URL cannot contain half a surrogate pair: the platform replaces it.
    if (query.isWellFormed()) assert.deepEqual([...read.query], [...queryOf(query)]);
  },
);

const basic = fc.property(
  bytes(
    spoilt(
      fc.constantFrom('admin:pa:ss', `ROLE_TICKET:${TICKET}`, `:${TICKET}`, TICKET, `${TICKET}:`, 'é:ü'),
    ),
  ),
  fc.nat(100),
  fc.constantFrom('', '=', '-', '_', '+', '*', 'A'),
  (credentials, at, odd) => {
    const whole = credentials.toString('base64');
    const place = at % (whole.length + 1);
    const base64 = whole.slice(0, place) + odd + whole.slice(place);
    const { header } = presentedIn(undefined, `Basic ${base64}`);
    if (base64 === '') return assert.equal(header, undefined);
    const decoded = Buffer.from(base64, 'base64');
    const expected = decoded.toString(isUtf8(decoded) ? 'utf8' : 'latin1');
    assert.ok(header !== undefined);
    if ('name' in header) return assert.equal(`${header.name}:${header.password}`, expected);
    assert.ok('ticket' in header, 'Basic never presents an API key');
    const { ticket } = header;
    const spellings = [ticket, `:${ticket}`, `${ticket}:`];
    assert.ok(spellings.includes(expected) || /^role_ticket:/i.test(expected), `${ticket} of ${expected}`);
  },
);

const authorization = fc.property(
  fc.array(text, { maxLength: 12 }),
  spoilt(fc.constantFrom('Basic YTpi', `Bearer ${TICKET}`, 'Digest x', 'basic', ' ')),
  spoilt(fc.constantFrom(`/a?alf_ticket=${TICKET}`, '/a??alf_ticket=1&alf_ticket=2', '/a')),
  (tickets, header, uri) => {
    assert.ok(presentedIn(tickets, header).arguments.length <= MOST_VALUES);
    const { searchParams } = new URL(`http://x/${uri}`);
    // The URL parser drops characters that a URL cannot contain, and Node misreads non-ASCII characters beside broken escapes.
    if (/^[!-~]*$/.test(uri) && !uri.includes('#'))
      assert.deepEqual(ticketsInUri(uri), [...new Set(searchParams.getAll('alf_ticket'))]);
  },
);

const form = fc.property(
  bytes(spoilt(fc.constantFrom('token=a&token_type_hint=b', 'a=%C3%A4+b', '__proto__=1&a', 'a=1&a=2'))),
  (body) => {
    const read = readForm(body);
    const given = [...new URLSearchParams(`?${new TextDecoder().decode(body)}`)];
    const isTwice = new Set(given.map(([name]) => name)).size < given.length;
    if (!isUtf8(body) || isTwice) return assert.ok(isRefusal(read));
    assert.ok(!isRefusal(read));
    const named = given.filter(([, value]) => value !== '');
    assert.deepEqual(Object.entries(read.json), Object.entries(Object.fromEntries(named)));
  },
);

const json = fc.property(bytes(spoilt(fc.json())), (body) => {
  const read = readJson(body);
  const expected = orNothing(() => ({
    json: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)),
  }));
  // JSON.parse accepts a repeated member, and ours refuses it.
  if (!isRefusal(read)) assert.deepEqual(read, expected);
});

const wholeJson = fc.property(fc.json(), (whole) => {
  assert.deepEqual(readJson(Buffer.from(whole)), { json: JSON.parse(whole) });
});

const crossSite = fc.property(
  spoilt(fc.constantFrom('x', 'x:80', '[::1]:8080', 'tickets.example.org')),
  spoilt(fc.constantFrom('http://x', 'https://x:443', 'null', 'http://[::1]')),
  fc.option(fc.constantFrom('cross-site', 'same-origin', 'none', 'x'), { nil: undefined }),
  fc.boolean(),
  (host, origin, site, behindProxy) => {
    const headers = { host, origin, 'x-forwarded-host': host, ...(site && { 'sec-fetch-site': site }) };
    const why = csrfFault('/', { headers } as never, ['http://allowed'], behindProxy);
    if (site === 'cross-site') assert.notEqual(why, undefined);
    if (!URL.canParse(origin) && (site === undefined || site === 'x')) assert.notEqual(why, undefined);
    isFromPageScript(headers);
  },
);

const hosts = fc.property(
  spoilt(fc.constantFrom('x', 'x:80', '[::1]:80', '127.0.0.1', 'a.b-c_d')),
  (host) => {
    if (!isHost(host) || !URL.canParse(`http://${host}`)) return;
    const { username, password, pathname, search, hash } = new URL(`http://${host}`);
    assert.deepEqual([username, password, pathname, search, hash], ['', '', '/', '', '']);
  },
);

const addresses = fc.property(
  fc.array(
    spoilt(
      fc.oneof(
        fc.ipV4(),
        fc.ipV6(),
        fc.ipV4().map((v4) => `::ffff:${v4}`),
      ),
    ),
    { maxLength: 4 },
  ),
  fc.constantFrom('127.0.0.1', '::1', '::ffff:127.0.0.1', '10.0.0.1', undefined),
  (hops, remoteAddress) => {
    const clients = new ClientAddresses(['127.0.0.0/8', '::1', '10.0.0.1'], () => undefined);
    const socket = { remoteAddress } as Socket;
    const address = clients.of({ socket, headers: { 'x-forwarded-for': hops.join(', ') } });
    assert.ok(
      isIPv4(address) || (address.endsWith('/64') && isIPv6(address.slice(0, -3))) || address === 'unknown',
    );
  },
);

const language = fc.property(
  spoilt(fc.constantFrom('de-CH, en;q=0.5', '*', 'fr;q=x', 'zh-Hant-TW')),
  (accepted) => {
    const languages = ['en', 'de', 'fr-CH'];
    assert.ok(languages.includes(languageAmong(languages, accepted) ?? ''));
  },
);

/** The readers of a request. They refuse wrong input, never throw, and agree with the platform where it reads the same. */
export const httpReaders: readonly Fuzzer[] = Object.entries({
  ...{ target, basic, authorization, form, json, 'whole-json': wholeJson },
  ...{ 'cross-site': crossSite, hosts, addresses, language },
}).map(([name, property]) => ({ name, weight: 1, property: property as fc.IRawProperty<unknown> }));
