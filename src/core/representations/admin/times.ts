import { Type } from '../../schema.ts';

/** A time that is not always there. */
export const optionalTime = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', description }));

/** A time that a caller may give. The format admits leap seconds, which `Date` cannot read. */
export const timeArgument = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', pattern: '^.{17}[0-5]', description }));

/** The time as answers have it. JSON leaves out members that are undefined. */
export function isoTime(at: number): string;
export function isoTime(at: number | undefined): string | undefined;
export function isoTime(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}
