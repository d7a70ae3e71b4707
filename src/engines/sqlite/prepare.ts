import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** A text with the placeholders of SQLite, which are numbered `?1` to `?9`, and so on. */
export const placeholders = (text: string) => text.replaceAll('$', '?');

/** Prepares statements, each under its name. Their placeholders are `$1` to `$9`, in the order of the values. */
export function prepared<K extends string>(
  db: DatabaseSync,
  texts: Readonly<Record<K, string>>,
): Record<K, StatementSync> {
  const entries = Object.entries<string>(texts).map(([name, text]) => [name, db.prepare(placeholders(text))]);
  return Object.fromEntries(entries) as Record<K, StatementSync>;
}
