import { Type } from '../schema.ts';
import type { Representation } from './representation.ts';

/** No value at all: for operations that answer 204. Json is the format of their refusals. */
export const nothingShown: Representation<undefined> = {
  schema: Type.Undefined(),
  json: () => undefined,
};
