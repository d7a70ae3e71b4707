import { Type } from '../../schema.ts';

/** A time that is not always there. */
export const optionalTime = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', description }));

/** A time that a caller may give. The format admits leap seconds, which `Date` cannot read. */
export const timeArgument = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', pattern: '^.{17}[0-5]', description }));
