import { appendFileSync, chownSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { smallDisk } from '../engines/sqlite/disk.ts';
import type { Postgres } from '../service/postgres.ts';

const KILOBYTES = 131_072;
const PIECE = 1_048_576;

/** Fills what is left of a disk. */
function fill(file: string): void {
  for (let size = PIECE; size >= 4_096; ) {
    try {
      appendFileSync(file, Buffer.alloc(size));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      size /= 2;
    }
  }
}

/** Keeps a disk full for so many milliseconds, and then gives the room back. */
export async function filledFor(place: string, length: number): Promise<void> {
  const ballast = join(place, 'ballast');
  try {
    for (const until = performance.now() + length; performance.now() < until; await pause(200)) fill(ballast);
  } finally {
    rmSync(ballast, { force: true });
  }
}

/** A small disk that belongs to the server, with a folder `space`; nothing where nobody may mount one. */
export function diskOf(t: TestContext, server: Postgres): string | undefined {
  const disk = smallDisk(t, KILOBYTES);
  if (disk === undefined) return undefined;
  const { uid, gid } = statSync(server.data);
  const folder = join(disk.place, 'space');
  mkdirSync(folder);
  for (const place of [dirname(disk.place), disk.place, folder]) chownSync(place, uid, gid);
  return disk.place;
}
