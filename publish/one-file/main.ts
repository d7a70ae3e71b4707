import cluster from 'node:cluster';
import { cpus } from 'node:os';
import { getAsset } from 'node:sea';

/** The one file: the command line, a worker of the service that started it, or the licences of what is inside. */

/** The names of the texts of licences, as the one file brings them. */
export const NOTICES = ['THIRD-PARTY-NOTICES.md', 'LICENSE-of-node'];

// As bin/node has it.
process.env.UV_THREADPOOL_SIZE ||= String(Math.max(2, cpus().length || 4));
if (cluster.isWorker) await import('../../src/main/workers/worker.ts');
else if (process.argv[2] === '--licences')
  for (const name of NOTICES) process.stdout.write(`${getAsset(name, 'utf8')}\n`);
else await import('../../src/main/command-line.ts');
