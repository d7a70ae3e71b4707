import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { commandLine } from '../../capabilities/action-definitions/nodes/command-line.ts';
import { addUser } from '../../core/storage/conformance/samples.ts';
import { ON_DISK, temporaryFolder } from '../../service/start.ts';
import { openSqlite } from '../../service/stores.ts';

type Level = 'ok' | 'skipped' | 'warning' | 'fault';

/** What the doctor printed as JSON. */
export interface Examination {
  readonly code: number | null;
  /** The sentences of one check at this level, with the mend behind a colon. */
  of(check: string, level: Level): readonly string[];
}

interface PrintedResult {
  readonly check: string;
  readonly level: Level;
  readonly what: string;
  readonly mend?: string;
  readonly page: string;
}

/** Runs `tessera doctor` with this environment. Its exit code has to agree with what it found. */
export async function examine(
  env: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Promise<Examination> {
  const { stdout, stderr, code } = await commandLine(['doctor', '--json', ...words], env);
  assert.match(stdout, /^\[/, stderr);
  const results: readonly PrintedResult[] = JSON.parse(stdout);
  assert.equal(code, results.some(({ level }) => level === 'fault') ? 1 : 0, stderr);
  return {
    code,
    of: (check, level) =>
      results
        .filter((each) => each.check === check && each.level === level)
        .map(({ what, mend }) => (mend === undefined ? what : `${what}: ${mend}`)),
  };
}

/** A data folder with an embedded store and an administrator, and the environment that names it. */
export async function wellSetUp(t: TestContext) {
  const data = join(await temporaryFolder(t, ON_DISK), 'data');
  mkdirSync(data, { mode: 0o700 });
  const store = openSqlite(data);
  await addUser(store, 'admin', { administrator: true });
  await store.close();
  writeFileSync(join(data, 'throttle-key'), 'ab'.repeat(32), { mode: 0o600 });
  return { data, env: { TESSERA_DATA: data } };
}
