import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Makes each start of a program fail, in a process whose tests start none by what they import. So no test gets into the short
 * run past `programs.ts`.
 */
function refuse(): never {
  throw new Error(
    "this test starts a program, which the runner cannot see: import 'node:child_process' by its name, in the test or in a file that it imports",
  );
}

for (const name of ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync'] as const)
  Object.defineProperty(childProcess, name, { value: refuse });
syncBuiltinESMExports();
