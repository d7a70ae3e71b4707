import type { Settings } from '../settings/table.ts';
import { backUpSqlite, type OnShare } from '../storage/sqlite/backup.ts';
import { type Restoring, restoreSqlite } from '../storage/sqlite/restore.ts';

/** Writes the embedded store into a file while it serves; `elsewhere` when another engine is set. */
export async function backUp(
  settings: Settings,
  file: string,
  onShare: OnShare,
): Promise<'done' | 'elsewhere'> {
  if (settings.database !== undefined) return 'elsewhere';
  await backUpSqlite(settings.data, file, onShare);
  return 'done';
}

/** Puts a backup into the data folder; `elsewhere` when another engine is set. */
export async function restore(
  settings: Settings,
  file: string,
  how: Restoring,
  onShare: OnShare,
): Promise<'done' | 'elsewhere'> {
  if (settings.database !== undefined) return 'elsewhere';
  await restoreSqlite(settings.data, file, how, onShare);
  return 'done';
}
