import type { AnyOperation, Authentication } from '../operation.ts';

interface Property {
  readonly examples?: readonly unknown[];
}

/** Where a fresh service listens. */
const ORIGIN = 'http://127.0.0.1:8080';
const A_TICKET = `TICKET_${'0'.repeat(40)}`;

const propertiesOf = (schema: object | undefined) =>
  Object.entries((schema as { properties?: Record<string, Property> } | undefined)?.properties ?? {});

/** What a member is in an example: of several at a path, the one of that path. */
function exampleOf(name: string, { examples = [] }: Property, nth = 0): unknown {
  return examples[Math.min(nth, examples.length - 1)] ?? name.toUpperCase();
}

/** The path with its names filled in; a ticket is the one of the shell. */
function filledPath({ input, paths }: AnyOperation, template: string): string {
  const scoped = paths.filter((path) => path.includes('{'));
  const nth = Math.max(0, scoped.indexOf(template as `/${string}`));
  return propertiesOf(input.path).reduce((path, [name, property]) => {
    const value = [exampleOf(name, property, nth)].flat().map((part) => encodeURIComponent(String(part)));
    return path.replace(`{${name}}`, name === 'ticket' ? '$ticket' : value.join('/'));
  }, template);
}

/** The members of a query or a body that an example shows: those that have one. */
function shown(schema: object | undefined): [name: string, value: unknown][] {
  return propertiesOf(schema).flatMap(([name, property]) =>
    property.examples === undefined ? [] : [[name, exampleOf(name, property)]],
  );
}

function queryOf({ input }: AnyOperation): string {
  const query = shown(input.query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return query.length === 0 ? '' : `?${query.join('&')}`;
}

/** How a caller of each level says who calls, with what has to be put in before. */
const CALLERS: Readonly<
  Record<Authentication, { readonly before: readonly string[]; readonly words: readonly string[] }>
> = {
  none: { before: [], words: [] },
  user: { before: [`ticket=${A_TICKET} # put yours here`], words: ['-u', '":$ticket"'] },
  client: { before: ['client=NAME secret=SECRET # put yours here'], words: ['-u', '"$client:$secret"'] },
};

const bodyOf = (members: readonly [string, unknown][], style: AnyOperation['bodyStyle']) =>
  style === 'form'
    ? members.map(([name, value]) => `--data-urlencode '${name}=${value}'`)
    : [`-d '${JSON.stringify(Object.fromEntries(members))}'`];

function wordsOf({ input, method, authentication, bodyStyle }: AnyOperation): string {
  const words = ['curl', '-s', ...CALLERS[authentication].words];
  if (method !== 'GET' && !(method === 'POST' && input.body !== undefined)) words.push('-X', method);
  if (input.body !== undefined) words.push(...bodyOf(shown(input.body), bodyStyle));
  return words.join(' ');
}

/** Lines for a shell that call an operation at one of its paths; two of them say where, and in whose name. */
export function curlOf(operation: AnyOperation, template: string, basePath: string): string {
  const [base = basePath] = operation.api?.basePaths ?? [];
  const address = `"$url${filledPath(operation, template)}${queryOf(operation)}"`;
  return [
    `url=${ORIGIN}${base}`,
    ...CALLERS[operation.authentication].before,
    `${wordsOf(operation)} ${address}`,
  ].join('\n');
}
