import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import type { TestContext } from 'node:test';

/** The files that are linked and the places that are synced to the disk in this process from now on, in their order. */
export function stepsOnDisk(t: TestContext): string[] {
  const steps: string[] = [];
  const { linkSync, openSync, fsyncSync } = fs;
  const places = new Map<number, unknown>();
  t.mock.method(fs, 'openSync', (...given: Parameters<typeof openSync>) => {
    const handle = openSync(...given);
    places.set(handle, given[0]);
    return handle;
  });
  t.mock.method(fs, 'fsyncSync', (handle: number) => {
    fsyncSync(handle);
    steps.push(`synced: ${places.get(handle)}`);
  });
  t.mock.method(fs, 'linkSync', (from: string, to: string) => {
    linkSync(from, to);
    steps.push(`linked: ${to}`);
  });
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  return steps;
}
