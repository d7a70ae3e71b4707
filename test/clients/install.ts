import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ADF, CLIENTS, isInstalled, MODEL, markInstalled } from './installed.ts';

const DEADLINE = 300_000;

// Kept apart from the project's own packages: old clients bring old dependencies, whose scripts are not run.
async function install(folder: string): Promise<void> {
  if (isInstalled(folder)) return;
  const npm = spawn('npm', ['ci', '--prefix', folder, '--silent'], {
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: DEADLINE,
  });
  const [status] = await once(npm, 'exit');
  if (status === 0) markInstalled(folder);
  else console.error(`The packages in ${folder} could not be installed: their tests are skipped.`);
}

await Promise.all([CLIENTS, ADF, MODEL].map(install));
