/** The decoded segments of a path. A slash at the end of the path adds none. */
export type Segments = readonly string[];

/** A request that the gate cannot read, and why. The text repeats nothing of the request. */
export interface UnreadableRequest {
  readonly unclear: string;
}

/** Paths that all services read alike: no escape, no sign with a second meaning, no empty segment, no dot at the end of one. */
const PLAIN = /^(?:\/[\w!$&'()*+,:=@~.-]*[\w!$&'()*+,:=@~-])*\/?$/;

/** The longest path that is read in several ways, in characters, and the most oddities that it may have. */
const LONGEST_ODD = 2_048;
const MOST_ODDITIES = 3;

/** A part of a path that services read in two ways: how to find it, and the second way. */
interface Oddity {
  readonly isIn: (segments: Segments) => boolean;
  readonly otherwise: (segments: Segments) => Segments;
}

const anySegment = (test: (segment: string) => boolean) => (segments: Segments) => segments.some(test);
const eachSegment =
  (change: (segment: string) => string | readonly string[]) =>
  (segments: Segments): Segments =>
    segments.flatMap(change);

/** Signs with a meaning in a path, and the compatible characters that some systems turn into them, such as a full-width slash. */
const MEANING = /[/\\.;?#%]/;
const hasLookalike = (segment: string) =>
  /[^\x20-\x7e]/.test(segment) && MEANING.test(segment.replace(/[\x20-\x7e]/g, '').normalize('NFKC'));

/** The path up to the first of these signs. */
function upTo(sign: RegExp, segments: Segments): Segments {
  const at = segments.findIndex((segment) => sign.test(segment));
  const [head = ''] = (segments[at] ?? '').split(sign, 1);
  return [...segments.slice(0, at), head];
}

const isDots = (segment: string) => segment === '.' || segment === '..';

/** A name as file systems of Windows and services that trim it read it: without blanks of any kind and dots at its end. */
function withoutTail(segment: string): string {
  const unblanked = segment.replace(/\p{Zs}+$/u, '');
  return isDots(unblanked) ? unblanked : unblanked.replace(/[.\p{Zs}]+$/u, '');
}

/** RFC 3986 section 5.2.4. A step above the root is left out. */
function withoutDots(segments: Segments): Segments {
  const resolved: string[] = [];
  for (const segment of segments) {
    if (segment === '..') resolved.pop();
    else if (segment !== '.') resolved.push(segment);
  }
  return resolved;
}

/** The path as read by a parser of URLs that takes `//name` at the beginning for a host. */
function afterHost(segments: Segments): Segments {
  const host = segments.findIndex((segment) => segment !== '');
  return host < 0 ? [] : segments.slice(host + 1);
}

const isBeforeEnd = (at: number, segments: Segments) => at < segments.length - 1;

/**
 * The oddities, in the order in which services come to them. The search for each one reads the result of the one before, so
 * `%2f..` holds a parent segment for a service that reads `%2f` as a slash.
 */
const ODDITIES: readonly Oddity[] = [
  { isIn: anySegment(hasLookalike), otherwise: eachSegment((segment) => segment.normalize('NFKC')) },
  {
    // A proxy and the service behind it may each decode once.
    isIn: anySegment((segment) => /%[0-9a-f]{2}/i.test(segment)),
    otherwise: eachSegment((segment) => decoded(segment) ?? segment),
  },
  { isIn: anySegment((segment) => /[?#]/.test(segment)), otherwise: (all) => upTo(/[?#]/, all) },
  {
    isIn: anySegment((segment) => segment.includes('\\')),
    otherwise: eachSegment((each) => each.split('\\')),
  },
  { isIn: anySegment((segment) => segment.includes('/')), otherwise: eachSegment((each) => each.split('/')) },
  {
    isIn: anySegment((segment) => segment.includes(';')),
    otherwise: eachSegment((each) => each.split(';', 1)),
  },
  {
    isIn: anySegment((segment) => !isDots(segment) && /[.\p{Zs}]$/u.test(segment)),
    otherwise: eachSegment(withoutTail),
  },
  { isIn: (segments) => segments[0] === '' && segments.length > 1, otherwise: afterHost },
  {
    isIn: (segments) => segments.some((segment, at) => segment === '' && isBeforeEnd(at, segments)),
    otherwise: (segments) => segments.filter((segment, at) => segment !== '' || !isBeforeEnd(at, segments)),
  },
  { isIn: anySegment(isDots), otherwise: withoutDots },
];

/** The text with its escapes decoded once, as UTF-8; undefined for a broken escape. */
function decoded(text: string): string | undefined {
  try {
    return text.includes('%') ? decodeURIComponent(text) : text;
  } catch {
    return undefined;
  }
}

/** The path and what each oddity makes of it; undefined if it has too many. */
function withOddities(path: Segments): readonly Segments[] | undefined {
  let readings: readonly Segments[] = [path];
  let found = 0;
  for (const { isIn, otherwise } of ODDITIES) {
    const odd = readings.filter(isIn);
    if (odd.length === 0) continue;
    found += 1;
    if (found > MOST_ODDITIES) return undefined;
    readings = [...readings, ...odd.map(otherwise)];
  }
  return readings;
}

const withoutSlashAtEnd = (segments: Segments) => (segments.at(-1) === '' ? segments.slice(0, -1) : segments);

/**
 * The ways in which services read a path: one for almost every path. `path` is as it was sent, without the query. A path
 * that no service should be sent is not read.
 */
export function readingsOf(path: string): readonly Segments[] | UnreadableRequest {
  if (!path.startsWith('/')) return { unclear: 'its path does not begin with a slash' };
  if (PLAIN.test(path)) return [withoutSlashAtEnd(path.slice(1).split('/'))];
  if (/[^\x21-\x7e]/.test(path)) return { unclear: 'its path holds a character that has to be escaped' };
  if (path.includes('#')) return { unclear: 'its path holds a fragment' };
  const segments = path.slice(1).split('/').map(decoded);
  if (segments.includes(undefined))
    return { unclear: 'its path holds an escape that is broken or not UTF-8' };
  return readingsOfOdd(segments as string[], path.length);
}

function readingsOfOdd(path: Segments, length: number): readonly Segments[] | UnreadableRequest {
  const readings = withOddities(path);
  if (readings === undefined || (readings.length > 1 && length > LONGEST_ODD))
    return { unclear: 'services read its path in too many ways' };
  if (readings.flat().some((segment) => /\p{Cc}/u.test(segment)))
    return { unclear: 'its path holds a control character' };
  return readings.map(withoutSlashAtEnd);
}

/** Segments that are folded already; almost every one is. */
const FOLDED = /^[\x20-\x40\x5b-\x7e]*$/;

/**
 * A segment in the form in which services compare it that ignore case and compatible characters. A capital i with a dot, which
 * lower case makes an i with a second dot, is an i for many.
 */
export function folded(segment: string): string {
  if (FOLDED.test(segment)) return segment;
  return segment.normalize('NFKC').replaceAll('\u0130', 'i').toUpperCase().toLowerCase();
}
