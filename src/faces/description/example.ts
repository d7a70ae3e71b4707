import type { AnyOperation, Authentication } from '../../core/operation.ts';

interface Property {
  readonly examples?: readonly unknown[];
}

/** The address of a service with default settings. */
const ORIGIN = 'http://127.0.0.1:8080';
const A_TICKET = `TICKET_${'0'.repeat(40)}`;
const SET_TICKET = `ticket=${A_TICKET} # put yours here`;

const propertiesOf = (schema: object | undefined) =>
  Object.entries((schema as { properties?: Record<string, Property> } | undefined)?.properties ?? {});

/** The example of a path name that belongs to this path. Undefined if there is none. */
export function exampleAt<E>(
  { paths }: AnyOperation,
  template: `/${string}`,
  examples: readonly E[] = [],
): E | undefined {
  const scoped = paths.filter((path) => path.includes('{'));
  const nth = Math.max(0, scoped.indexOf(template));
  return examples[Math.min(nth, examples.length - 1)];
}

/** The path with its names filled in. A ticket becomes the shell variable `$ticket`. */
function filledPath(operation: AnyOperation, template: `/${string}`): string {
  return propertiesOf(operation.input.path).reduce<string>((path, [name, { examples }]) => {
    const value = exampleAt(operation, template, examples) ?? name.toUpperCase();
    const escaped = [value].flat().map((part) => encodeURIComponent(String(part)));
    return path.replace(`{${name}}`, name === 'ticket' ? '$ticket' : escaped.join('/'));
  }, template);
}

/** The members of a query or a body that have an example, with that example. */
function shown(schema: object | undefined): [name: string, value: unknown][] {
  return propertiesOf(schema).flatMap(([name, { examples }]) =>
    examples === undefined ? [] : [[name, examples[0]]],
  );
}

function queryOf({ input }: AnyOperation): string {
  const query = shown(input.query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return query.length === 0 ? '' : `?${query.join('&')}`;
}

const BY_TICKET = { before: [SET_TICKET], words: ['-u', '":$ticket"'] };

/** For each level: the lines that set variables, and the curl arguments that present the credential. */
const CALLERS: Readonly<
  Record<Authentication, { readonly before: readonly string[]; readonly words: readonly string[] }>
> = {
  none: { before: [], words: [] },
  guest: BY_TICKET,
  user: BY_TICKET,
  client: { before: ['client=NAME secret=SECRET # put yours here'], words: ['-u', '"$client:$secret"'] },
  admin: { before: [SET_TICKET], words: ['-H', '"Authorization: Bearer $ticket"'] },
};

const bodyOf = (members: readonly [string, unknown][], style: AnyOperation['bodyStyle']) =>
  style === 'form'
    ? members.map(([name, value]) => `--data-urlencode '${name}=${value}'`)
    : [`-d '${JSON.stringify(Object.fromEntries(members))}'`];

function wordsOf({ input, method, authentication, bodyStyle, streams }: AnyOperation): string {
  const words = ['curl', streams ? '-sN' : '-s', ...CALLERS[authentication].words];
  if (method !== 'GET' && !(method === 'POST' && input.body !== undefined)) words.push('-X', method);
  if (input.body !== undefined) words.push(...bodyOf(shown(input.body), bodyStyle));
  return words.join(' ');
}

/** Shell lines that call an operation at one of its paths. The first ones set the address and the credential. */
export function curlOf(operation: AnyOperation, template: `/${string}`, basePath: string): string {
  const [base = basePath] = operation.api?.basePaths ?? [];
  const address = `"$url${filledPath(operation, template)}${queryOf(operation)}"`;
  return [
    `url=${ORIGIN}${base}`,
    ...CALLERS[operation.authentication].before,
    `${wordsOf(operation)} ${address}`,
  ].join('\n');
}
