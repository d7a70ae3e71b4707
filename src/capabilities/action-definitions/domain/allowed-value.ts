import type { Label } from './label.ts';

/** A value that a constraint allows, as in JSON. */
export interface AllowedValue {
  readonly value: string | number | boolean;
  readonly label?: Label | undefined;
}

/** The smallest and the largest `d:int`. */
export const INT_RANGE = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };

/** A full reference to a node, such as `workspace://SpacesStore/company-home`, as a regular expression. */
export const NODE_PATTERN = '^[^:/]+://[^/]+/.+$';

/** A qualified name, such as `cm:titled`, as a regular expression. */
export const QNAME_PATTERN = '^(\\{[^{}]*\\})?[^{}]+$';

const like = (pattern: string) => {
  const expression = new RegExp(pattern, 'u');
  return (value: AllowedValue['value']) => typeof value === 'string' && expression.test(value);
};

const TIME =
  /^(\d{4}-\d{2}-\d{2})[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** Whether the day exists: from others, such as the 31st of February, `Date` makes another day or none. */
function isDate(value: AllowedValue['value'] | undefined): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const day = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value);
}

const isNode = like(NODE_PATTERN);

const OF_TYPE: Readonly<Record<string, (value: AllowedValue['value']) => boolean>> = {
  'd:int': (value) =>
    typeof value === 'number' &&
    Number.isInteger(value) &&
    value >= INT_RANGE.minimum &&
    value <= INT_RANGE.maximum,
  'd:long': Number.isInteger,
  'd:float': (value) => typeof value === 'number',
  'd:double': (value) => typeof value === 'number',
  'd:boolean': (value) => typeof value === 'boolean',
  'd:date': isDate,
  'd:datetime': (value) => isDate(TIME.exec(String(value))?.[1]),
  'd:noderef': isNode,
  'd:category': isNode,
  'd:qname': like(QNAME_PATTERN),
  'd:any': () => true,
};

/** Whether a parameter of this data type can have that value. Types not listed here are texts. */
export function canHave(type: string, value: AllowedValue['value']): boolean {
  return (OF_TYPE[type] ?? ((other) => typeof other === 'string'))(value);
}
