import { Type } from '../../schema.ts';
import type { Representation } from '../representation.ts';

/** The answer to a revocation: the status says all (RFC 7009 section 2.2). */
export const revocationShown = {
  schema: Type.Object({}),
  json: () => ({}),
} satisfies Representation<undefined>;
