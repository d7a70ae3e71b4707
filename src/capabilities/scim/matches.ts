import { type AttributePath, type Attributes, isAttributes, valueIn, valuesAt } from './attributes.ts';
import type { FilterOperator, ScimFilter } from './filter.ts';

/** The attributes whose case counts (RFC 7643 section 3.1). */
const CASE_EXACT = ['id', 'externalid'];

type Comparable = string | number | boolean;

/** The values that are compared. Of a complex value it is its `value` (RFC 7644 section 3.4.2.2). */
function comparableAt(of: Attributes, path: AttributePath): readonly Comparable[] {
  const plain = valuesAt(of, path).map((value) => (isAttributes(value) ? valueIn(value, 'value') : value));
  return plain.filter((value) => ['string', 'number', 'boolean'].includes(typeof value)) as Comparable[];
}

const TESTS: Readonly<Record<FilterOperator, (one: string, other: string) => boolean>> = {
  eq: (one, other) => one === other,
  ne: (one, other) => one !== other,
  co: (one, other) => one.includes(other),
  sw: (one, other) => one.startsWith(other),
  ew: (one, other) => one.endsWith(other),
  gt: (one, other) => one > other,
  ge: (one, other) => one >= other,
  lt: (one, other) => one < other,
  le: (one, other) => one <= other,
};

function isCompared(
  of: Attributes,
  { path, operator, value }: Extract<ScimFilter, { is: 'compared' }>,
): boolean {
  const values = comparableAt(of, path);
  if (value === null) return (values.length === 0) === (operator === 'eq');
  const isExact = CASE_EXACT.includes((path.at(-1) as string).toLowerCase());
  // Some clients write booleans as texts, such as "True".
  const textOf = (each: Comparable) => (isExact ? String(each) : String(each).toLowerCase());
  const sought = textOf(value);
  if (operator === 'ne') return values.every((each) => textOf(each) !== sought);
  return values.some((each) => TESTS[operator](textOf(each), sought));
}

/** Whether the resource, or the value of a list, passes the filter. */
export function matches(filter: ScimFilter, of: Attributes): boolean {
  switch (filter.is) {
    case 'and':
      return filter.parts.every((part) => matches(part, of));
    case 'or':
      return filter.parts.some((part) => matches(part, of));
    case 'not':
      return !matches(filter.part, of);
    case 'present':
      return valuesAt(of, filter.path).some((value) => value !== '');
    case 'compared':
      return isCompared(of, filter);
    case 'within':
      return valuesAt(of, filter.path).some((value) => isAttributes(value) && matches(filter.part, value));
  }
}
