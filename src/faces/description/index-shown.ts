import type { AnyOperation } from '../../core/operation.ts';
import {
  formatsOf,
  type Page,
  type PageText,
  type Representation,
} from '../../core/representations/representation.ts';
import { Type } from '../../core/schema.ts';
import { nameOf, pathsOf } from './name.ts';

/** The groupings that the index offers, with the label of each on pages. */
const LABELS = { family: 'By family', lifecycle: 'By lifecycle', uri: 'By URI' } as const;

export type Grouping = keyof typeof LABELS;

export const GROUPINGS = Object.keys(LABELS) as Grouping[];

/** The operations, their grouping, and the base path that the caller used. */
interface IndexShown {
  readonly operations: readonly AnyOperation[];
  readonly grouping: Grouping;
  readonly basePath: string;
}

const GROUPS_OF: Readonly<Record<Grouping, (operation: AnyOperation) => readonly string[]>> = {
  family: ({ family }) => [family],
  lifecycle: ({ lifecycle }) => [lifecycle],
  uri: pathsOf,
};

/** The operations in groups. An operation with several paths stands in the group of each. */
function groupsOf({ operations, grouping }: IndexShown) {
  const pairs = operations.flatMap((operation) =>
    GROUPS_OF[grouping](operation).map((name) => ({ name, operation })),
  );
  const groups = Object.entries(Object.groupBy(pairs, ({ name }) => name));
  const list = groups.map(([name, members = []]) => ({
    name,
    operations: members.map((each) => each.operation),
  }));
  return grouping === 'uri' ? list.toSorted((one, other) => (one.name < other.name ? -1 : 1)) : list;
}

/** The links on every page of the description. */
export function linksOf(basePath: string): readonly PageText[] {
  return [
    ...GROUPINGS.map((grouping) => ({ text: LABELS[grouping], to: `${basePath}/index/${grouping}` })),
    { text: 'API reference', to: `${basePath}/reference` },
    { text: 'OpenAPI', to: `${basePath}/openapi.json` },
  ];
}

/** An operation with the attributes that the specification gives it. */
function entryOf(operation: AnyOperation) {
  const { id, method, summary, family, lifecycle, authentication, transaction } = operation;
  const { formatStyle, defaultFormat, output, answers = 200, alsoAnswers } = operation;
  return {
    operation: nameOf(operation),
    id,
    method,
    paths: [...pathsOf(operation)],
    summary,
    family,
    lifecycle,
    authentication,
    transaction,
    formatStyle,
    defaultFormat,
    formats: formatsOf(output),
    answers,
    ...(alsoAnswers !== undefined && { alsoAnswers }),
  };
}

const HEADINGS = [
  'Operation',
  'Method and path',
  'Family and lifecycle',
  'Authentication and transaction',
  'Format style and default',
  'Formats',
  'Status',
];

function rowOf(operation: AnyOperation): (PageText | readonly PageText[])[] {
  const { method, summary, family, lifecycle, authentication, transaction, ...entry } = entryOf(operation);
  const code = (text: string) => ({ text, code: true }) as const;
  const statuses = [entry.answers, entry.alsoAnswers].filter((each) => each !== undefined);
  return [
    [code(entry.operation), summary, code(entry.id)],
    [method, ...entry.paths.map(code)],
    [family, lifecycle],
    [authentication, transaction],
    [entry.formatStyle, entry.defaultFormat],
    entry.formats,
    statuses.map(String),
  ];
}

function html(index: IndexShown): Page {
  const { grouping, basePath } = index;
  return {
    title: `Operations, ${LABELS[grouping].replace('By', 'by')}`,
    links: linksOf(basePath),
    rows: [],
    sections: groupsOf(index).map(({ name, operations }) => ({
      heading: name,
      table: { headings: HEADINGS, rows: operations.map(rowOf) },
    })),
  };
}

const text = Type.String();
const texts = Type.Array(text);

const entry = Type.Object(
  {
    operation: text,
    id: text,
    method: text,
    paths: texts,
    summary: text,
    family: text,
    lifecycle: text,
    authentication: text,
    transaction: text,
    formatStyle: text,
    defaultFormat: text,
    formats: texts,
    answers: Type.Integer(),
    alsoAnswers: Type.Optional(Type.Integer({ description: 'The status of answers that say no.' })),
  },
  { title: 'Index entry' },
);

/** The index of all operations with their attributes, in groups. */
export const indexShown = {
  schema: Type.Object({
    data: Type.Object({
      groups: Type.Array(Type.Object({ name: text, operations: Type.Array(entry) })),
    }),
  }),
  json: (index: IndexShown) => ({
    data: {
      groups: groupsOf(index).map(({ name, operations }) => ({ name, operations: operations.map(entryOf) })),
    },
  }),
  html,
} satisfies Representation<IndexShown>;
