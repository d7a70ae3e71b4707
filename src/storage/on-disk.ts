import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Has the disk keep a file, or what a folder lists. */
export function syncToDisk(place: string): void {
  const handle = openSync(place, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
