import { spawnSync } from 'node:child_process';
import { FOLDER, isInstalled, markInstalled } from './installed.ts';

const DEADLINE = 300_000;

// Kept apart from the project's own packages: old clients bring old dependencies, whose scripts are not run.
if (!isInstalled()) {
  const { status } = spawnSync('npm', ['ci', '--prefix', FOLDER, '--silent'], {
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: DEADLINE,
  });
  if (status === 0) markInstalled();
  else console.error('The clients of others could not be installed: their tests are skipped.');
}
