type NamesIn<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** The values for the names in a path template: one segment, or several. */
export type Names<T extends string> = Readonly<Record<NamesIn<T>, string | readonly string[]>>;

/** A text that no URL can carry as one segment. */
export class NoSegment extends TypeError {}

/**
 * Encodes one segment. Refuses `.` and `..`, which URL parsers remove, so that the call would reach another operation;
 * and unpaired surrogates, which UTF-8 cannot encode.
 */
function segment(text: string): string {
  if (text === '' || text === '.' || text === '..' || !text.isWellFormed())
    throw new NoSegment(`"${text}" cannot stand between two slashes of a URL`);
  return encodeURIComponent(text);
}

/** The path of a template with its names filled in. Each segment is percent-encoded. */
export function fill<const T extends string>(template: T, names: Names<T>): string {
  const values = names as Readonly<Record<string, string | readonly string[]>>;
  return template.replace(/\{(\w+)\}/g, (_, name: string) =>
    [values[name] ?? ''].flat().map(segment).join('/'),
  );
}

/** The base URL without a slash at its end. Throws a TypeError that says what is wrong and shows no secret. */
export function baseOf(base: string | URL): string {
  if (!URL.canParse(String(base)))
    throw new TypeError('The base URL is no URL: write https://host/alfresco/service');
  const { protocol, username, password, search, hash, origin, pathname } = new URL(base);
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new TypeError(`The base URL begins with ${protocol}//: write https:// or http://`);
  if (username !== '' || password !== '')
    throw new TypeError('The base URL holds a user name or a password: give them to login() instead');
  if (search !== '' || hash !== '')
    throw new TypeError('The base URL ends with its path: leave out "?" and "#"');
  return origin + pathname.replace(/\/+$/, '');
}
