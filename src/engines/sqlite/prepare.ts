import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Prepares statements, each under its name. Their placeholders are `$1` to `$9`, in the order of the values. */
export function prepared<K extends string>(
  db: DatabaseSync,
  texts: Readonly<Record<K, string>>,
): Record<K, StatementSync> {
  const entries = Object.entries<string>(texts).map(([name, text]) => [
    name,
    db.prepare(text.replaceAll('$', '?')),
  ]);
  return Object.fromEntries(entries) as Record<K, StatementSync>;
}
