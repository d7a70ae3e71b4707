import type { Label } from './action-definition.ts';

/** A value that a constraint allows, as JSON has it. */
export interface AllowedValue {
  readonly value: string | number | boolean;
  readonly label?: Label | undefined;
}

const OF_TYPE: Readonly<Record<string, (value: AllowedValue['value']) => boolean>> = {
  'd:int': Number.isInteger,
  'd:long': Number.isInteger,
  'd:float': (value) => typeof value === 'number',
  'd:double': (value) => typeof value === 'number',
  'd:boolean': (value) => typeof value === 'boolean',
  'd:any': () => true,
};

/** Whether a parameter of this data type can have that value; types of which JSON knows nothing are texts. */
export function canHave(type: string, value: AllowedValue['value']): boolean {
  return (OF_TYPE[type] ?? ((other) => typeof other === 'string'))(value);
}
