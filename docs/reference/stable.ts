import { existsSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { AdminClient } from '../../src/client/admin.ts';
import { Client } from '../../src/client/client.ts';
import { EVENT_KINDS } from '../../src/core/domain/event.ts';
import { REFUSALS, type RefusalCode } from '../../src/core/domain/refusal.ts';
import { STATUS } from '../../src/core/http/status.ts';
import { variableOf } from '../../src/core/settings/table.ts';
import { openApiDocument } from '../../src/faces/description/openapi/document.ts';
import { servedWith } from '../../src/faces/description/served.ts';
import { commandLine } from '../../src/main/command-line.ts';
import { operations } from '../../src/main/operations.ts';
import { readSettings, SETTINGS } from '../../src/main/settings.ts';
import { SCHEMAS } from './schemas.ts';

const FILE = new URL('./stable.txt', import.meta.url);
const TELEMETRY = new URL('./telemetry.md', import.meta.url);

/** A schema of OpenAPI, as far as it names fields. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface DescribedOperation {
  readonly operationId: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
  }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content & { readonly $ref?: string }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const { settings } = readSettings({ flags: {}, env: {} });
const { paths, components } = openApiDocument(servedWith(settings, operations), '') as unknown as Document;

/** The fields of a schema with their types, each by its path, such as `users[].name`. */
function* fieldsOf(schema: Schema, at = '', seen: readonly string[] = []): Generator<string> {
  const { $ref, properties = {}, items, anyOf = [], allOf = [], required = [] } = schema;
  if ($ref !== undefined) {
    const name = $ref.slice($ref.lastIndexOf('/') + 1);
    const target = components.schemas[name];
    if (target !== undefined && !seen.includes(name)) yield* fieldsOf(target, at, [...seen, name]);
  }
  for (const each of [...anyOf, ...allOf]) yield* fieldsOf(each, at, seen);
  if (items !== undefined) yield* fieldsOf(items, `${at}[]`, seen);
  for (const [name, field] of Object.entries(properties)) {
    const path = at === '' ? name : `${at}.${name}`;
    yield `${path}${required.includes(name) ? '' : '?'}`;
    yield* fieldsOf(field, path, seen);
  }
}

const fieldsIn = ({ content = {} }: Content) => [
  ...new Set(Object.values(content).flatMap(({ schema }) => (schema ? [...fieldsOf(schema)] : []))),
];

/** What an operation takes and answers with. A caller without credentials stays without. */
function* ofOperation(call: string, described: DescribedOperation): Generator<string> {
  yield `${call} takes ${described.security?.length === 0 ? 'no credentials' : 'credentials'}`;
  for (const { name, in: place, required } of described.parameters ?? [])
    yield `${call} takes ${place} ${name}${required === true ? '' : '?'}`;
  for (const field of fieldsIn(described.requestBody ?? {})) yield `${call} takes body ${field}`;
  for (const [status, answer] of Object.entries(described.responses)) {
    if (!status.startsWith('2')) continue;
    yield `${call} answers ${status}`;
    for (const field of fieldsIn(answer)) yield `${call} answers ${status} with ${field}`;
  }
}

function* ofWire(): Generator<string> {
  for (const [path, methods] of Object.entries(paths))
    for (const [method, described] of Object.entries(methods))
      if (described.operationId !== undefined)
        yield* ofOperation(`${method.toUpperCase()} ${path}`, described);
  for (const code of Object.keys(REFUSALS) as RefusalCode[]) yield `refusal ${code} is ${STATUS[code]}`;
}

function* ofSettings(): Generator<string> {
  for (const key of SETTINGS.keys) {
    const { default: fallback } = SETTINGS.setting(key);
    yield `setting ${variableOf(key)}${fallback ? ` is ${fallback} by default` : ''}`;
  }
}

function* ofCommands(command: Command, words = 'command'): Generator<string> {
  if (command.commands.length === 0) yield words;
  const flags = new Set(SETTINGS.keys.map((key) => SETTINGS.flagOf(key)));
  for (const { long } of command.options) if (long && !flags.has(long)) yield `${words} ${long}`;
  for (const child of command.commands) yield* ofCommands(child, `${words} ${child.name()}`);
}

function* ofClient(): Generator<string> {
  for (const [name, made] of Object.entries({ AdminClient, Client }))
    for (const member of Object.getOwnPropertyNames(made.prototype))
      if (member !== 'constructor') yield `client ${name}.${member}`;
}

/** The metrics with their labels, as their page has them. */
function* ofMetrics(): Generator<string> {
  for (const [, name, labels = ''] of readFileSync(TELEMETRY, 'utf8').matchAll(
    /^\| `(tessera_\w+)` +\| ([^|]*)\|/gm,
  ))
    yield `metric ${name} ${labels.replaceAll(/[`,]/g, '').trim()}`.trim();
}

function* ofEvents(): Generator<string> {
  for (const kind of EVENT_KINDS) yield `event ${kind}`;
}

function* ofDocuments(): Generator<string> {
  for (const [file, schema] of Object.entries(SCHEMAS))
    for (const field of fieldsOf(JSON.parse(schema()))) yield `document ${file.split('.')[0]} ${field}`;
}

const { stdin, stdout, stderr } = process;
const program = await commandLine([], { env: {}, stdin, stdout, stderr });

/** Each thing that callers and operators may rely on, a line each, as this version has it. */
export const stableNow: readonly string[] = [
  ...new Set([
    ...ofWire(),
    ...ofSettings(),
    ...ofCommands(program),
    ...ofClient(),
    ...ofMetrics(),
    ...ofDocuments(),
    ...ofEvents(),
  ]),
];

/** The lines that were promised, by the file that is kept. */
export const promised = (): string[] =>
  existsSync(FILE) ? readFileSync(FILE, 'utf8').split('\n').filter(Boolean) : [];

/** The file with what this version adds: what was promised stays, since only a major version takes it away. */
export const stableFile = (): string =>
  [...new Set([...promised(), ...stableNow])]
    .toSorted()
    .map((line) => `${line}\n`)
    .join('');
