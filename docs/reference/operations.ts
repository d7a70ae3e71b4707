import { STATUS } from '../../src/core/http/status.ts';
import type { AnyOperation } from '../../src/core/operation.ts';
import { formatsOf } from '../../src/core/representations/representation.ts';
import { nameOf } from '../../src/faces/description/name.ts';
import { operations } from '../../src/main/operations.ts';
import { code, page, table } from './markdown.ts';

/** The parts of JSON Schema that the pages show. */
interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly const?: unknown;
}

/** The shape of a JSON value: objects and arrays, with the type in place of each value. */
function sketch(schema: Schema): unknown {
  const { type = 'any', format, pattern, properties, items, anyOf } = schema;
  if (properties !== undefined) {
    return Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, sketch(member)]));
  }
  if (items !== undefined) return [sketch(items)];
  if (anyOf !== undefined) return anyOf.map((each) => JSON.stringify(sketch(each))).join(' or ');
  if ('const' in schema) return schema.const;
  const more = format ?? pattern;
  return more === undefined ? type : `${type}: ${more}`;
}

function attributes(operation: AnyOperation): string {
  const { method, paths, anyRequest, family, authentication, role, transaction, formatStyle, defaultFormat } =
    operation;
  return table(
    ['Attribute', 'Value'],
    [
      [
        'Method and path',
        paths
          .map((path) =>
            anyRequest ? `any method, ${code(path)} and all paths below it` : code(`${method} ${path}`),
          )
          .join(', '),
      ],
      ...(operation.api?.basePaths ? [['Base paths', operation.api.basePaths.map(code).join(', ')]] : []),
      ['Operation id', code(operation.id)],
      ['Lifecycle', operation.lifecycle],
      ['Family', family],
      ['Authentication', role === undefined ? authentication : `${authentication}: role ${role}`],
      ['Transaction', transaction],
      ['Format style', formatStyle],
      ['Default format', defaultFormat],
      ['Formats', formatsOf(operation.output).join(', ')],
    ],
  );
}

function inputs({ input }: AnyOperation): string {
  const rows = Object.entries(input).flatMap(([part, schema]) => {
    const { properties = {}, required = [] } = schema as Schema;
    return Object.entries(properties).map(([name, { description = '' }]) => [
      part,
      code(name),
      required.includes(name) ? 'yes' : 'no',
      description,
    ]);
  });
  return rows.length === 0 ? 'It takes no input.' : table(['Input', 'Name', 'Required', 'What it is'], rows);
}

function refused({ refusals }: AnyOperation): string {
  if (refusals.length === 0) return 'It has no refusals of its own.';
  const list = refusals.map((each) => `${code(each)} (${STATUS[each]})`);
  return `Its own refusals: ${list.join(', ')}.`;
}

function shown({ answers, alsoAnswers, output }: AnyOperation): string {
  if (output.isEmpty) return `It answers ${answers ?? 200}, without a body.`;
  const { anyOf = [output.schema as Schema] } = output.schema as Schema;
  const body = anyOf.map((each) => JSON.stringify(sketch(each), null, 2)).join('\nor\n');
  const statuses = [answers ?? 200, ...(alsoAnswers === undefined ? [] : [alsoAnswers])].join(' or ');
  return `It answers ${statuses}, in json:\n\n${'```'}\n${body}\n${'```'}`;
}

function section(operation: AnyOperation): string[] {
  return [
    `## ${nameOf(operation)}`,
    operation.summary,
    attributes(operation),
    inputs(operation),
    shown(operation),
    refused(operation),
  ];
}

/** Every operation, from its descriptor. */
export function operationsPage(): string {
  return page(
    '# Operations',
    `Each operation is described once, in a file of its own below a folder ${code('operations/')} in ${code('src/')}; this page is printed from there, and so is
${code('bin/tessera operations')}. Every path answers below each base path (setting ${code('TESSERA_BASE_PATHS')}), unless base paths of
its own stand beside it. With format style
${code('any')} the format is chosen by an extension on the path or by the argument ${code('format')}, with ${code('argument')} by the argument
alone. What the gate and HTTP refuse for any operation is on the page of [refusals](refusals.md).`,
    ...operations.flatMap(section),
  );
}
