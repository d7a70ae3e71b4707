import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addressRange,
  anyText,
  basePath,
  countOrShare,
  databaseUrl,
  deadline,
  duration,
  durationOrOff,
  edition,
  fileMode,
  headerName,
  host,
  hostOrSocket,
  listOf,
  oneOf,
  origin,
  type Parser,
  release,
  repositoryUrl,
  servedHost,
  ticketsUrl,
  wholeNumber,
  yesOrNo,
} from '../../../src/core/settings/parsers.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Durations that would leave the range of dates or of the store. */
const TOO_LONG = ['P36501D', 'P99999999D', `P${'9'.repeat(400)}D`];

interface Example {
  readonly read: Parser<unknown>;
  readonly taken: Readonly<Record<string, unknown>>;
  readonly refused: readonly string[];
  /** How to write each value, which every refusal says beside the text. */
  readonly mend: RegExp;
}

const EXAMPLES: Readonly<Record<string, Example>> = {
  'a whole number is decimal digits between two bounds': {
    read: wholeNumber(0, 65_535, 'port'),
    taken: { 0: 0, 8080: 8080, 65535: 65_535, '0080': 80 },
    refused: ['', '-1', '65536', '1.5', '1e3', '0x50', ' 80', '80 ', 'http', '٣', '99999999999999999999'],
    mend: /port from 0 to 65535/,
  },
  'a number or a share is a whole number above zero, or one with a percent sign up to 100': {
    read: countOrShare,
    taken: { 1: { count: 1 }, 2500: { count: 2_500 }, '1%': { percent: 1 }, '100%': { percent: 100 } },
    refused: ['', '0', '0%', '101%', '-1', '2.5', '50 %', '%', 'half', '99999999'],
    mend: /write one such as 500 or 25%/,
  },
  'a served host is a name or an address, without scheme, port and zone': {
    read: servedHost,
    taken: {
      'Tickets.Example.org.': 'tickets.example.org',
      '127.0.0.1': '127.0.0.1',
      '::1': '[::1]',
      '[2001:DB8:0::1]': '[2001:db8::1]',
    },
    refused: ['', 'http://x.org', 'x.org:80', '[::1]:80', '::%1', '[fe80::1%eth0]', 'a b', '[x]'],
    mend: /without scheme and port/,
  },
  'an answer is true or false and nothing like it': {
    read: yesOrNo,
    taken: { true: true, false: false },
    refused: ['', 'TRUE', 'yes', '1', '0', 'off'],
    mend: /write true or false/,
  },
  'a choice is one of its words': {
    read: oneOf('replace-oldest', 'refuse'),
    taken: { 'replace-oldest': 'replace-oldest', refuse: 'refuse' },
    refused: ['', 'Refuse', 'replace', 'toString'],
    mend: /write replace-oldest, refuse/,
  },
  'a duration is ISO 8601 in weeks, days, hours, minutes and seconds, above zero': {
    read: duration,
    taken: {
      PT1S: 1_000,
      'PT0.25S': 250,
      PT15M: 15 * MINUTE,
      PT90M: 90 * MINUTE,
      PT24H: DAY,
      P2W: 14 * DAY,
      P1DT2H3M4S: DAY + 2 * HOUR + 3 * MINUTE + 4_000,
      P36500D: 36_500 * DAY,
    },
    refused: [
      '',
      'P',
      'PT',
      'P1DT',
      '1h',
      '3600',
      'PT1h',
      'pt1h',
      'P1H',
      'PT1D',
      'PT1H30',
      '-PT1H',
      'P1Y',
      'P1M',
      'off',
      ...TOO_LONG,
    ],
    mend: /write ISO 8601, such as PT1H, PT90S or P30D|write one of at most P36500D/,
  },
  'a duration that can be off takes the word': {
    read: durationOrOff,
    taken: { off: Number.POSITIVE_INFINITY, PT1H: HOUR, P36500D: 36_500 * DAY },
    refused: ['', 'OFF', '0', 'PT0S', 'never', ...TOO_LONG],
    mend: /(write ISO 8601, .*|above zero|write one of at most P36500D), or off/,
  },
  'a deadline is a duration that a timer can wait': {
    read: deadline,
    taken: { 'PT0.5S': 500, P24D: 24 * DAY, 'P24DT20H31M23.647S': 2_147_483_647 },
    refused: ['', 'off', '5', 'PT0S', 'P24DT20H31M23.648S', 'P25D', ...TOO_LONG],
    mend: /write ISO 8601|above zero|write one of at most P24D/,
  },
  'a base path begins with a slash, and a slash at its end is dropped': {
    read: basePath,
    taken: {
      '/': '',
      '/s': '/s',
      '/alfresco/service/': '/alfresco/service',
      '/a-b/c_d/~e/1.0': '/a-b/c_d/~e/1.0',
    },
    refused: ['', 's', '//', '/a//b', '/a b', '/a?b', '/a#b', '/{a}', '/a%20b', 'http://host/s'],
    mend: /write one such as \/alfresco\/service/,
  },
  'an origin is what a browser sends: scheme, host and a port that is not the usual': {
    read: origin,
    taken: {
      'https://portal.example.org': 'https://portal.example.org',
      'http://127.0.0.1:3000': 'http://127.0.0.1:3000',
      'capacitor://localhost': 'capacitor://localhost',
      'chrome-extension://abcdefghijklmnop': 'chrome-extension://abcdefghijklmnop',
      'file://': 'file://',
    },
    refused: [
      '',
      '*',
      'null',
      'file:///',
      'file:///index.html',
      'capacitor://localhost/',
      'capacitor://*',
      'capacitor:localhost',
      'https://user@portal.example.org',
      'portal.example.org',
      'https://portal.example.org/',
      'https://portal.example.org:443',
      'https://Portal.example.org',
      'https://*.example.org',
    ],
    mend: /such as https:\/\/portal\.example\.org/,
  },
  'a version is three or four numbers, with a build in brackets if there is one': {
    read: release,
    taken: Object.fromEntries(
      ['5.2.2', '3.2.0 (2039)', '7.4.1.2 (r1a2b-b3)', '23.1.0'].map((text) => [text, text]),
    ),
    refused: [
      '',
      '5',
      '5.2',
      '5.2.2.1.0',
      'v5.2.2',
      '5.2.2 ',
      '5.2.2 (',
      '5.2.2 ()',
      '5.2.2 (a b)',
      '5.2.2\n',
    ],
    mend: /such as 5\.2\.2, or 3\.2\.0 \(2039\)/,
  },
  'an edition is one line of letters, digits, spaces, dots and hyphens': {
    read: edition,
    taken: { Tessera: 'Tessera', 'Our Own-1.0': 'Our Own-1.0', A: 'A' },
    refused: ['', ' ', ' A', 'A ', 'A\nB', 'A<b>', 'É', 'a'.repeat(65)],
    mend: /such as Community/,
  },
  'an address is IPv4 or IPv6, alone or with the length of its range': {
    read: addressRange,
    taken: {
      '127.0.0.1': '127.0.0.1',
      '10.0.0.0/8': '10.0.0.0/8',
      '::1': '::1',
      'fd00::/8': 'fd00::/8',
      'unix:': 'unix:',
    },
    refused: [
      '',
      'localhost',
      '10.0.0.0/33',
      '10.0.0.0/',
      '10.0.0.256',
      '::1/129',
      '10',
      '10.1',
      '010.0.0.1',
      '10/8',
      'unix:/run/tessera/http.sock',
    ],
    mend: /write one such as 192\.0\.2\.7 or ::1/,
  },
  'an address to listen on is anything but nothing, which would be every network': {
    read: host,
    taken: { '127.0.0.1': '127.0.0.1', '::': '::', localhost: 'localhost' },
    refused: ['', ' '],
    mend: /write one such as 127\.0\.0\.1, or 0\.0\.0\.0 for every one/,
  },
  'where only a port is, no Unix socket is': {
    read: host,
    taken: {},
    refused: ['unix:', 'unix:/run/tessera/http.sock'],
    mend: /write an address such as 127\.0\.0\.1/,
  },
  'a Unix socket is listened on by its absolute path': {
    read: hostOrSocket,
    taken: {
      '127.0.0.1': '127.0.0.1',
      'unix:/run/tessera/http.sock': 'unix:/run/tessera/http.sock',
      [`unix:/${'a'.repeat(106)}`]: `unix:/${'a'.repeat(106)}`,
    },
    refused: ['unix:', 'unix:/', 'unix:http.sock', 'unix:@tessera', 'unix:/run/', 'unix:/run\0', 'unix:///'],
    mend: /write an absolute one, such as unix:\/run\/tessera\/http\.sock/,
  },
  'the path of a socket has as many bytes as the system allows, at most': {
    read: hostOrSocket,
    taken: {},
    refused: [`unix:/${'a'.repeat(107)}`, `unix:/${'ä'.repeat(54)}`],
    mend: /has 10[89] bytes, and the system allows 107/,
  },
  'the mode of a file is three octal digits, or four with a zero before them': {
    read: fileMode,
    taken: { '0660': 0o660, 660: 0o660, '000': 0 },
    refused: ['', '66', '0680', '1660', 'rw-rw----', '0o660', ' 660'],
    mend: /write octal digits such as 0660/,
  },
  'the name of a header is one of HTTP, in lower case, or empty for none': {
    read: headerName,
    taken: { '': '', 'X-Original-URI': 'x-original-uri', 'x-forwarded-uri': 'x-forwarded-uri' },
    refused: [' ', 'X Original', 'X-Original-URI:', 'a,b', 'ü'],
    mend: /write one such as X-Original-URI/,
  },
  'the URL of a database is one of PostgreSQL': {
    read: databaseUrl,
    taken: {
      'postgres://ana@db1,db2/tessera': 'postgres://ana@db1,db2/tessera',
      'postgresql://db': 'postgresql://db',
    },
    refused: ['', 'db', 'mysql://db/tessera', 'postgres://', 'postgres:db', ' postgres://db'],
    mend: /write one such as postgres:\/\/user@host:5432\/tessera/,
  },
  'the URL of a ticket store is one of Redis, with TLS or without': {
    read: ticketsUrl,
    taken: {
      'redis://ana@host1:6379,host2:6379': 'redis://ana@host1:6379,host2:6379',
      'rediss://host': 'rediss://host',
    },
    refused: ['', 'host:6379', 'http://host', 'redis://', 'redis:host'],
    mend: /write one such as redis:\/\/user@host1:6379,host2:6379/,
  },
  'a repository URL is http or https, without credentials, query and fragment': {
    read: repositoryUrl,
    taken: {
      '': '',
      'https://content.example.org/alfresco/': 'https://content.example.org/alfresco',
      'http://127.0.0.1:8080': 'http://127.0.0.1:8080',
      'https://host/alfresco?': 'https://host/alfresco',
      'https://host/alfresco/#': 'https://host/alfresco',
      ' https://host/alfresco ': 'https://host/alfresco',
    },
    refused: [
      'content.example.org',
      'ftp://host',
      'https://ana:secret@host',
      'https://host?a=b',
      'https://host/#a',
    ],
    mend: /write one such as https:\/\/content\.example\.org\/alfresco/,
  },
};

for (const [promise, { read, taken, refused, mend }] of Object.entries(EXAMPLES)) {
  test(promise, () => {
    for (const [text, value] of Object.entries(taken)) assert.deepEqual(read(text), value, text);
  });

  test(`${promise}; anything else is refused with the mend`, () => {
    for (const text of refused) assert.throws(() => read(text), { message: mend }, `"${text}"`);
  });
}

test('a user name alone or a password alone in a repository URL is refused as that, and not shown', () => {
  for (const text of [
    'https://ana@host',
    'https://:secret@host',
    'https://ana:secret@host',
    'ftp://ana@host',
  ])
    assert.throws(() => repositoryUrl(text), {
      message:
        'is no repository URL, since it holds a user name or a password: write one such as https://content.example.org/alfresco',
    });
});

test('a duration of no length is refused', () => {
  for (const text of ['PT0S', 'P0D', 'PT0.0S'])
    assert.throws(() => duration(text), { message: /duration above zero/ }, text);
});

test('entries of a list are separated by commas, spaces are ignored, and every entry is parsed', () => {
  const numbers = listOf(wholeNumber(0, 9));
  assert.deepEqual(numbers('1,2, 3 ,'), [1, 2, 3]);
  assert.deepEqual(numbers(''), []);
  assert.throws(() => numbers('1,ten'), { message: /"ten"/ });
});

test('any text is accepted as it is', () => {
  for (const text of ['', ' a ', 'ü']) assert.equal(anyText(text), text);
});
