import { Type } from '../schema.ts';
import type { Representation } from './representation.ts';

const NOTHING = Type.Undefined();

/** No value at all: answers have no body. Json is the format of their refusals. */
export const nothingShown = {
  schema: NOTHING,
  json: () => undefined,
} satisfies Representation<unknown>;

/** Whether nothing is shown, whatever the format, beside what is told in headers. */
export const showsNothing = ({ schema }: Representation<never>): boolean => schema === NOTHING;
