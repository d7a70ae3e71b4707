import { readdirSync, statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { stampOf } from '../../../core/file-watch.ts';

/** The paths of the documents: files, or folders of files. Empty if there are none. */
export interface DocumentPaths {
  readonly definitions: string;
  readonly model: string;
}

/** Every `.json` file in a folder, sorted by name. Hidden files are left out: editors and file systems make them. */
export function documentsIn(folder: string, entries: readonly string[]): string[] {
  return entries
    .filter((file) => file.endsWith('.json') && !file.startsWith('.'))
    .sort()
    .map((file) => join(folder, file));
}

const pathsOf = ({ definitions, model }: DocumentPaths) => [definitions, model].filter((path) => path !== '');

function stampsAt(path: string): string[] {
  const stats = statSync(path);
  if (!stats.isDirectory()) return [stampOf(path, stats)];
  return documentsIn(path, readdirSync(path)).map((file) => stampOf(file, statSync(file)));
}

/** A text that changes with the documents: which files there are, and when each file or its permissions changed. */
export function documentsStamp(paths: DocumentPaths): string {
  try {
    return pathsOf(paths).flatMap(stampsAt).join('\n');
  } catch (fault) {
    return String((fault as NodeJS.ErrnoException).code);
  }
}

async function stampsAtAsync(path: string): Promise<string[]> {
  const stats = await stat(path);
  if (!stats.isDirectory()) return [stampOf(path, stats)];
  const stamps: string[] = [];
  for (const file of documentsIn(path, await readdir(path))) stamps.push(stampOf(file, await stat(file)));
  return stamps;
}

/**
 * The same stamp, without blocking the event loop: a network file system may not answer for minutes. It checks one file
 * after another, since each unanswered check keeps a thread that also hashes passwords.
 */
export async function documentsStampAsync(paths: DocumentPaths): Promise<string> {
  const stamps: string[] = [];
  try {
    for (const path of pathsOf(paths)) stamps.push(...(await stampsAtAsync(path)));
    return stamps.join('\n');
  } catch (fault) {
    return String((fault as NodeJS.ErrnoException).code);
  }
}
