import { REFUSALS } from '../../../core/domain/refusal.ts';
import { STATUS } from '../../../core/http/status.ts';
import type { AnyOperation } from '../../../core/operation.ts';
import {
  formatsOf,
  type Page,
  type PageTable,
  type Representation,
} from '../../../core/representations/representation.ts';
import { Type } from '../../../core/schema.ts';
import { curlOf } from '../example.ts';
import { nameOf, pathsOf } from '../name.ts';
import { refusalsOf } from '../refusals.ts';
import { linksOf } from './links.ts';

/** One operation, and the base path that the caller used. */
interface OperationShown {
  readonly operation: AnyOperation;
  readonly basePath: string;
}

interface Fields {
  readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
  readonly required?: readonly string[];
}

function inputOf({ input }: AnyOperation) {
  return Object.entries(input).flatMap(([place, schema]) => {
    const { properties = {}, required = [] } = schema as Fields;
    return Object.entries(properties).map(([name, { description = '' }]) => {
      const presence = required.includes(name) ? 'required' : 'optional';
      return { in: place, name, presence, description };
    });
  });
}

function shown({ operation, basePath }: OperationShown) {
  const { id, summary, lifecycle, family, method, authentication, transaction } = operation;
  const { formatStyle, defaultFormat, answers = 200, alsoAnswers } = operation;
  const paths = pathsOf(operation);
  return {
    operation: nameOf(operation),
    id,
    summary,
    lifecycle,
    family,
    method,
    paths,
    authentication,
    transaction,
    formatStyle,
    defaultFormat,
    formats: formatsOf(operation.output),
    answers,
    ...(alsoAnswers === undefined ? {} : { alsoAnswers }),
    input: inputOf(operation),
    refusals: refusalsOf(operation).map((code) => ({ status: STATUS[code], code, message: REFUSALS[code] })),
    examples: operation.paths.map((template, nth) => ({
      path: paths[nth] as string,
      command: curlOf(operation, template, basePath),
    })),
  };
}

type Shown = ReturnType<typeof shown>;

const LABELS = {
  operation: 'Operation',
  id: 'Id',
  summary: 'What it does',
  lifecycle: 'Lifecycle',
  family: 'Family',
  method: 'Method',
  paths: 'Path',
  authentication: 'Authentication',
  transaction: 'Transaction',
  formatStyle: 'Format style',
  defaultFormat: 'Default format',
  formats: 'Formats',
  answers: 'Status of its answers',
  alsoAnswers: 'Status of answers that say no',
} as const satisfies Partial<Record<keyof Shown, string>>;

function html(value: OperationShown): Page {
  const { input, refusals, examples, ...attributes } = shown(value);
  const rows = Object.entries(LABELS).flatMap(([name, label]) => {
    const attribute = attributes[name as keyof typeof LABELS];
    if (attribute === undefined) return [];
    return [[label, typeof attribute === 'object' ? attribute : String(attribute)] as const];
  });
  const taken: PageTable = {
    headings: ['Name', 'In', 'Presence', 'What it is'],
    rows: input.map(({ name, in: place, presence, description }) => [
      { text: name, code: true },
      place,
      presence,
      description,
    ]),
  };
  const errors: PageTable = {
    headings: ['Status', 'Code', 'Message'],
    rows: refusals.map(({ status, code, message }) => [String(status), { text: code, code: true }, message]),
  };
  return {
    title: attributes.operation,
    links: linksOf(value.basePath),
    rows,
    sections: [
      ...(input.length === 0 ? [] : [{ heading: 'Input', table: taken }]),
      { heading: 'Examples', blocks: examples.map(({ path, command }) => [path, command] as const) },
      { heading: 'Errors', table: errors },
    ],
  };
}

const text = Type.String();
const texts = Type.Array(text);
const member = Type.Object({ in: text, name: text, presence: text, description: text });
const refusal = Type.Object({ status: Type.Integer(), code: text, message: text });
const example = Type.Object({ path: text, command: text });
const attributes = {
  operation: text,
  id: text,
  summary: text,
  lifecycle: text,
  family: text,
  method: text,
  paths: texts,
  authentication: text,
  transaction: text,
  formatStyle: text,
  defaultFormat: text,
  formats: texts,
  answers: Type.Integer(),
  alsoAnswers: Type.Optional(Type.Integer()),
};

/** One operation with all its attributes. */
export const operationShown = {
  schema: Type.Object({
    data: Type.Object({
      ...attributes,
      input: Type.Array(member),
      refusals: Type.Array(refusal),
      examples: Type.Array(example),
    }),
  }),
  json: (value: OperationShown) => ({ data: shown(value) }),
  html,
} satisfies Representation<OperationShown>;
