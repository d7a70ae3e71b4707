import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { TestContext } from 'node:test';
import { afterwards } from '../../service/afterwards.ts';
import { atExit } from '../../service/at-exit.ts';

/** Runs `mount` or `umount`; returns its fault, if any. */
function run(program: 'mount' | 'umount', ...words: string[]): string | undefined {
  try {
    execFileSync(program, words, { stdio: ['ignore', 'ignore', 'pipe'] });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Mounts at `place` for one test; false where this machine lets nobody, which skips the test, or fails it when all are asked for. */
function mounted(t: TestContext, above: string, ...words: string[]): boolean {
  const hindrance = run('mount', ...words);
  const undo = () => {
    if (hindrance === undefined) run('umount', '--lazy', words.at(-1) as string);
    rmSync(above, { recursive: true, force: true });
  };
  const forget = atExit(undo);
  afterwards(t, () => {
    forget();
    undo();
  });
  if (hindrance === undefined) return true;
  if (process.env.TESSERA_TEST_ALL === '1') throw new Error(`nothing can be mounted here: ${hindrance}`);
  t.skip('nothing can be mounted here, which takes root; TESSERA_TEST_ALL=1 makes that a failure');
  return false;
}

/** Something mounted for one test. */
export interface Mounted {
  readonly place: string;
  /** Mounts it anew, writable or not. */
  remount(mode: 'ro' | 'rw'): void;
}

function remounting(place: string, options: string): Mounted {
  return {
    place,
    remount(mode) {
      const fault = run('mount', '-o', `remount,${options}${mode}`, place);
      if (fault !== undefined) throw new Error(fault);
    },
  };
}

/** A disk of so many kilobytes for one test, or nothing where nobody may mount one. */
export function smallDisk(t: TestContext, kilobytes: number): Mounted | undefined {
  const above = mkdtempSync(join(tmpdir(), 'tessera-disk-'));
  const place = join(above, 'disk');
  mkdirSync(place);
  const there = mounted(t, above, '-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', place);
  return there ? remounting(place, '') : undefined;
}

/** A copy of a file in a folder of its own, to be made read-only without its folder; nothing where nobody may mount. */
export function mountedFile(t: TestContext, file: string): Mounted | undefined {
  const above = mkdtempSync(join(tmpdir(), 'tessera-disk-'));
  const place = join(above, basename(file));
  copyFileSync(file, place);
  return mounted(t, above, '--bind', place, place) ? remounting(place, 'bind,') : undefined;
}
