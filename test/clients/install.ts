import { spawnSync } from 'node:child_process';
import { CLIENTS, isInstalled, MODEL, markInstalled } from './installed.ts';

const DEADLINE = 300_000;

// Kept apart from the project's own packages: old clients bring old dependencies, whose scripts are not run.
for (const folder of [CLIENTS, MODEL]) {
  if (isInstalled(folder)) continue;
  const { status } = spawnSync('npm', ['ci', '--prefix', folder, '--silent'], {
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: DEADLINE,
  });
  if (status === 0) markInstalled(folder);
  else console.error(`The packages in ${folder} could not be installed: their tests are skipped.`);
}
