import type { AnyOperation } from '../../../core/operation.ts';
import type { Page, PageText, Representation } from '../../../core/representations/representation.ts';
import { Type } from '../../../core/schema.ts';
import { nameOf, pathsOf } from '../name.ts';
import { type Grouping, groupsOf } from './groups.ts';
import { LABELS, linksOf, toOperation } from './links.ts';

/** The operations, their grouping, and the base path that the caller used. */
interface IndexShown {
  readonly operations: readonly AnyOperation[];
  readonly grouping: Grouping;
  readonly basePath: string;
}

function entryOf(operation: AnyOperation) {
  const { method, summary, family, lifecycle, authentication } = operation;
  const paths = [...pathsOf(operation)];
  return { operation: nameOf(operation), method, paths, summary, family, lifecycle, authentication };
}

function rowOf(operation: AnyOperation, basePath: string): (PageText | readonly PageText[])[] {
  const { method, paths, summary, family, lifecycle, authentication } = entryOf(operation);
  const addresses = paths.map((path) => ({ text: path, code: true }) as const);
  return [toOperation(operation, basePath), method, addresses, summary, family, lifecycle, authentication];
}

const HEADINGS = ['Operation', 'Method', 'Path', 'What it does', 'Family', 'Lifecycle', 'Authentication'];

function html({ operations, grouping, basePath }: IndexShown): Page {
  return {
    title: `Operations, ${LABELS[grouping].replace('By', 'by')}`,
    links: linksOf(basePath),
    rows: [],
    sections: groupsOf(operations, grouping).map(({ name, operations: members }) => ({
      heading: name,
      table: { headings: HEADINGS, rows: members.map((each) => rowOf(each, basePath)) },
    })),
  };
}

const entry = Type.Object(
  {
    operation: Type.String(),
    method: Type.String(),
    paths: Type.Array(Type.String()),
    summary: Type.String(),
    family: Type.String(),
    lifecycle: Type.String(),
    authentication: Type.String(),
  },
  { title: 'Index entry' },
);

/** The index of all operations, in groups. */
export const indexShown = {
  schema: Type.Object({
    data: Type.Object({
      groups: Type.Array(Type.Object({ name: Type.String(), operations: Type.Array(entry) })),
    }),
  }),
  json: ({ operations, grouping }: IndexShown) => ({
    data: {
      groups: groupsOf(operations, grouping).map(({ name, operations: members }) => ({
        name,
        operations: members.map(entryOf),
      })),
    },
  }),
  html,
} satisfies Representation<IndexShown>;
