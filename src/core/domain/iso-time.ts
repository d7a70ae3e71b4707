/** The time as answers have it. JSON leaves out members that are undefined. */
export function isoTime(at: number): string;
export function isoTime(at: number | undefined): string | undefined;
export function isoTime(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}
