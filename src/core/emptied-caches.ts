/** Why everything that an instance had read counts as changed. */
const REASONS = {
  commit: 'another process has written to the file of the embedded store',
  connection: 'the connection that tells of revocations is another one than before',
  fault: 'the server did not say what was revoked',
  behind: 'the server no longer tells of revocations that long ago',
  many: 'too much was revoked at once',
  all: 'all tickets were revoked, or what concerns all users has changed',
} as const;

export type WhyEmptied = keyof typeof REASONS;

const emptied = new Map<string, number>(Object.keys(REASONS).map((reason) => [reason, 0]));

/** Counts that a cache of this process was emptied as a whole. */
export function countEmptied(reason: WhyEmptied): void {
  emptied.set(reason, (emptied.get(reason) ?? 0) + 1);
}

/** How often a cache of this process was emptied as a whole, by the reason. */
export function emptiedCaches(): ReadonlyMap<string, number> {
  return emptied;
}
