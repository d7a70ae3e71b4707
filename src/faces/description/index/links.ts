import type { AnyOperation } from '../../../core/operation.ts';
import type { PageText } from '../../../core/representations/representation.ts';
import { nameOf } from '../name.ts';
import { GROUPINGS, type Grouping } from './groups.ts';

/** The labels of the groupings on pages. */
export const LABELS: Readonly<Record<Grouping, string>> = {
  family: 'By family',
  lifecycle: 'By lifecycle',
  uri: 'By URI',
};

/** A link from an operation's name to its page. */
export function toOperation(operation: AnyOperation, basePath: string): PageText {
  const name = nameOf(operation);
  return { text: name, to: `${basePath}/index/operation/${name}`, code: true };
}

/** The links on every page of the description. */
export function linksOf(basePath: string): readonly PageText[] {
  return [
    ...GROUPINGS.map((grouping) => ({ text: LABELS[grouping], to: `${basePath}/index/${grouping}` })),
    { text: 'API reference', to: `${basePath}/reference` },
    { text: 'OpenAPI', to: `${basePath}/openapi.json` },
  ];
}
