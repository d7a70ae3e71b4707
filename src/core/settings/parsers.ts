import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Parses the text of a setting. Throws an error whose message says what is wrong, and how to mend it. */
export type Parser<T> = ((text: string) => T) & {
  /** All texts that it takes, if they are few. */
  readonly words?: readonly string[];
};

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The error for a text that a setting cannot take. A text with an @ is not shown: it may be a URL with a password, whatever the setting is. */
export const fault = (text: string, expected: string) =>
  new Error(text.includes('@') ? `is no ${expected}` : `"${text}" is no ${expected}`);

/** Any text. */
export const anyText: Parser<string> = (text) => text;

/** The path of a file or a folder. It cannot be empty. */
export const path: Parser<string> = (text) => {
  if (text === '') throw new Error('it is empty: write a path, or leave the setting out');
  return text;
};

/** A whole number between two bounds. */
export function wholeNumber(least: number, most: number, unit = 'whole number'): Parser<number> {
  return (text) => {
    if (/^tcp:\/\//.test(text)) {
      throw new Error(
        `"${text}" was put there by Kubernetes for a Service of this name: set enableServiceLinks: false in the pod, or rename the Service`,
      );
    }
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!(number >= least && number <= most)) throw fault(text, `${unit} from ${least} to ${most}`);
    return number;
  };
}

/** A number of things, or a percentage of all of them. */
type CountOrShare = { readonly count: number } | { readonly percent: number };

/** The number that this is of `all`, rounded up. */
export function numberOf(amount: CountOrShare, all: number): number {
  return 'count' in amount ? amount.count : Math.ceil((all * amount.percent) / 100);
}

/** A whole number above zero, or a percentage such as `25%`. */
export const countOrShare: Parser<CountOrShare> = (text) => {
  const [, digits = '', percent] = /^(\d{1,7})(%?)$/.exec(text) ?? [];
  const number = Number(digits);
  if (number === 0 || (percent === '%' && number > 100))
    throw fault(text, 'number or share: write one such as 500 or 25%');
  return percent === '%' ? { percent: number } : { count: number };
};

/** `true` or `false`. */
export const yesOrNo: Parser<boolean> = Object.assign(
  (text: string) => {
    if (text !== 'true' && text !== 'false') throw fault(text, 'answer: write true or false');
    return text === 'true';
  },
  { words: ['true', 'false'] },
);

/** One of a few words. */
export function oneOf<const T extends string>(...words: readonly T[]): Parser<T> {
  const parse = (text: string) => {
    const word = words.find((candidate) => candidate === text);
    if (word === undefined) throw fault(text, `choice here: write ${words.join(', ')}`);
    return word;
  };
  return Object.assign(parse, { words });
}

/** Milliseconds of an ISO 8601 duration. Years and months are refused, since their lengths vary. */
const lengthOf: Parser<number> = (text) => {
  const parts =
    /^P(?!$)(?:(\d+)W)?(?:(\d+)D)?(?:T(?!$)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d{1,3})?)S)?)?$/.exec(text);
  if (parts === null) throw fault(text, 'duration: write ISO 8601, such as PT1H, PT90S or P30D');
  const [weeks, days, hours, minutes, seconds] = parts.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const length = (weeks * 7 + days) * DAY + hours * HOUR + minutes * MINUTE + Math.round(seconds * SECOND);
  if (length === 0) throw fault(text, 'duration above zero');
  return length;
};

/** A hundred years. Longer durations would leave the range of dates and databases. */
const LONGEST = 36_500 * DAY;

/** A duration in milliseconds, a hundred years at most. */
export const duration: Parser<number> = (text) => {
  const length = lengthOf(text);
  if (length > LONGEST) throw fault(text, 'duration to reckon with: write one of at most P36500D');
  return length;
};

/** The longest delay of a timer. A longer one would fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** A duration in milliseconds that a timer can wait for. */
export const deadline: Parser<number> = (text) => {
  const length = lengthOf(text);
  if (length > LONGEST_TIMER) throw fault(text, 'deadline that can be waited for: write one of at most P24D');
  return length;
};

/** As `parse` reads it, or `off` for `whenOff`. */
const orOff =
  (parse: Parser<number>, whenOff: number): Parser<number> =>
  (text) => {
    if (text === 'off') return whenOff;
    try {
      return parse(text);
    } catch (error) {
      throw new Error(`${(error as Error).message}, or off`);
    }
  };

/** A delay in milliseconds that a timer can wait for, or `off` for 0. */
export const delayOrOff: Parser<number> = orOff(deadline, 0);

/** A duration in milliseconds, or `off` for `Infinity`. */
export const durationOrOff: Parser<number> = orOff(duration, Number.POSITIVE_INFINITY);

/** A list, separated by commas. `entry` parses each entry. */
export function listOf<T>(entry: Parser<T>): Parser<readonly T[]> {
  return (text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map(entry);
}

/** An address or a name to listen on. */
export const host: Parser<string> = (text) => {
  if (text.startsWith('unix:'))
    throw new Error('this listens on no Unix socket: write an address such as 127.0.0.1');
  if (text.trim() === '')
    throw new Error(
      'an empty address would listen on every network: write one such as 127.0.0.1, or 0.0.0.0 for every one',
    );
  return text;
};

/** Bytes of the path of a Unix socket, as the system allows them. */
const LONGEST_SOCKET_PATH = 107;

/** An address or a name to listen on, or `unix:` with the absolute path of a socket. */
export const hostOrSocket: Parser<string> = (text) => {
  const [, path] = /^unix:(.*)$/s.exec(text) ?? [];
  if (path === undefined) return host(text);
  if (!/^\/[^\0]*[^/\0]$/.test(path))
    throw fault(text, 'path of a socket: write an absolute one, such as unix:/run/tessera/http.sock');
  const bytes = Buffer.byteLength(path);
  if (bytes > LONGEST_SOCKET_PATH)
    throw new Error(
      `its path has ${bytes} bytes, and the system allows ${LONGEST_SOCKET_PATH}: choose a shorter one`,
    );
  return text;
};

/** The mode of a file, in octal digits. */
export const fileMode: Parser<number> = (text) => {
  if (!/^0?[0-7]{3}$/.test(text)) throw fault(text, 'mode of a file: write octal digits such as 0660');
  return Number.parseInt(text, 8);
};

/** A list with at least one entry. */
export function someOf<T>(entry: Parser<T>, what: string): Parser<readonly T[]> {
  const parse = listOf(entry);
  return (text) => {
    const entries = parse(text);
    if (entries.length === 0) throw new Error(`there is no ${what}: write at least one`);
    return entries;
  };
}

/** A base path without a slash at its end. `/` is the root. */
export const basePath: Parser<string> = (text) => {
  if (!/^\/[\w\-./~]*$/.test(text) || text.includes('//'))
    throw fault(text, 'base path: write one such as /alfresco/service');
  return text === '/' ? '' : text.replace(/\/$/, '');
};

/** The origin of a web page, an app or an extension, as browsers send it. `file://` is for pages in local files. */
export const origin: Parser<string> = (text) => {
  if (text === '*')
    throw new Error('"*" would allow every page: name the origins, such as https://portal.example.org');
  if (text === 'file://') return text;
  const { protocol, host } = URL.canParse(text) ? new URL(text) : { protocol: '', host: '' };
  if (host === '' || text !== `${protocol}//${host}` || text.includes('*'))
    throw fault(text, 'origin: write one such as https://portal.example.org');
  return text;
};

/** The name of a request header, in lower case. Empty if there is none. */
export const headerName: Parser<string> = (text) => {
  if (!/^[\w!#$%&'*+.^`|~-]*$/.test(text))
    throw fault(text, 'name of a header: write one such as X-Original-URI');
  return text.toLowerCase();
};

/** Fields of requests and answers (RFC 9110 and others). Programs would take a user name in one for something else. */
const TAKEN = new Set(
  `age allow alt-svc authorization cache-control connection cookie date etag expect expires forwarded host keep-alive
  last-modified link location pragma range referer retry-after server set-cookie strict-transport-security te trailer
  transfer-encoding upgrade user-agent vary via warning www-authenticate x-content-type-options x-request-id`.split(
    /\s+/,
  ),
);
const TAKEN_FAMILY = /^(?:accept|access-control-|content-|if-|proxy-|sec-|x-forwarded-|x-tessera-)/;

/** The name of a header for a user, as it is written. Empty if there is none. */
export const userHeaderName: Parser<string> = (text) => {
  if (!/^(?:[a-z][\w-]*)?$/i.test(text))
    throw fault(
      text,
      'name of a header for a user: write letters, digits and hyphens, such as X-Alfresco-Remote-User',
    );
  // Many programs read an underscore as a hyphen.
  const read = text.toLowerCase().replaceAll('_', '-');
  if (TAKEN.has(read) || TAKEN_FAMILY.test(read))
    throw new Error(
      `"${text}" already means something else: write a name of your own, such as X-Alfresco-Remote-User`,
    );
  return text;
};

/** A host name or address without a port, in lower case. An IPv6 address gets brackets. */
export const servedHost: Parser<string> = (text) => {
  const bare = text.replace(/^\[(.*)\]$/, '$1');
  // A zone, as in fe80::1%eth0, is local to one machine: no client sends it as its Host.
  if (isIP(bare) === 6 && !bare.includes('%')) return new URL(`http://[${bare}]`).hostname;
  if (!/^[a-z0-9._-]{1,255}$/i.test(text))
    throw fault(text, 'host: write one without scheme and port, such as tickets.example.org');
  return text.toLowerCase().replace(/\.$/, '');
};

/** The origin of the pages for people. Empty if it is not set. */
export const portalUrl: Parser<string> = (text) => {
  if (text === '') return '';
  const { protocol, origin } = URL.canParse(text) ? new URL(text) : { protocol: '', origin: '' };
  if (!/^https?:$/.test(protocol) || (text !== origin && text !== `${origin}/`))
    throw fault(text, 'origin of the portal: write one such as https://tickets.example.org');
  return origin;
};

/** A domain with a dot in it, in lower case. Empty if there is none. */
export const cookieDomain: Parser<string> = (text) => {
  if (!/^(?:[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+)?$/i.test(text) || isIP(text) !== 0)
    throw fault(text, 'domain that browsers share a cookie in: write one such as example.org');
  return text.toLowerCase();
};

/** A host, perhaps with a port, in lower case; `*.` before it stands for any name below it. */
export const returnHost: Parser<string> = (text) => {
  const [, any = '', name = '', port = ''] = /^(\*\.)?(.*?)(:\d{1,5})?$/.exec(text) ?? [];
  if (!/^(?:[a-z0-9-]+\.)*[a-z0-9-]+$/i.test(name) || (any !== '' && !name.includes('.')))
    throw fault(text, 'host: write one such as wiki.example.org, or *.example.org for all below it');
  return (any + name + port).toLowerCase();
};

/** One host, as {@link returnHost} takes it without `*.`. */
export const oneHost: Parser<string> = (text) => {
  const host = returnHost(text);
  if (host.startsWith('*.')) throw fault(text, 'host: name each host by itself, such as app.example.net');
  return host;
};

/** Whether the text is an address or a range of addresses. The package would read 10 as 0.0.0.10, which no operator means. */
export function isRange(text: string): boolean {
  const [address = '', bits] = text.split('/');
  return isIP(address) !== 0 && (bits === undefined || ipaddr.isValidCIDR(text));
}

/** An address, a range of addresses, or `unix:` for the other end of a Unix socket. */
export const addressRange: Parser<string> = (text) => {
  if (text === 'unix:') return text;
  if (!isRange(text)) throw fault(text, 'address or range: write one such as 192.0.2.7 or ::1');
  return text;
};

/**
 * The URL of a content repository, without a slash at its end. Empty if there is none. Errors do not show it, since it
 * may hold a secret.
 */
export const repositoryUrl: Parser<string> = (text) => {
  if (text === '') return text;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && url.username + url.password !== '')
    throw new Error(
      'is no repository URL, since it holds a user name or a password: write one such as https://content.example.org/alfresco',
    );
  const plain = url?.search === '' && url.hash === '';
  if (!plain || !/^https?:$/.test(url.protocol))
    throw new Error('is no repository URL: write one such as https://content.example.org/alfresco');
  // Leaves out `?` and `#`: what is appended after them would not be part of the path.
  return (url.origin + url.pathname).replace(/\/+$/, '');
};

/** The URL of the ticket store. Errors do not show it, since it may hold a password. */
export const ticketsUrl: Parser<string> = (text) => {
  if (!/^rediss?:\/\/./.test(text))
    throw new Error('is no URL of a ticket store: write one such as redis://user@host1:6379,host2:6379');
  return text;
};

/** The URL of a database. Errors do not show it, since it may hold a password. */
export const databaseUrl: Parser<string> = (text) => {
  if (!/^postgres(ql)?:\/\/./.test(text))
    throw new Error('is no URL of a database: write one such as postgres://user@host:5432/tessera');
  return text;
};

/** A release in the form that clients read: three or four numbers, and perhaps a build in brackets. */
export const release: Parser<string> = (text) => {
  if (!/^\d{1,9}(\.\d{1,9}){2,3}( \([\w.-]{1,64}\))?$/.test(text))
    throw fault(text, 'version: write one such as 5.2.2, or 3.2.0 (2039) with its build');
  return text;
};

/** The name of an edition: one line of ASCII. */
export const edition: Parser<string> = (text) => {
  if (!/^\w(?:[\w .-]{0,62}\w)?$/.test(text))
    throw fault(text, 'edition: write up to 64 letters, digits, spaces, dots and hyphens, such as Community');
  return text;
};
