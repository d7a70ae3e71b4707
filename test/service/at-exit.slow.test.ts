import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { whyNoNginx } from './nginx.ts';
import { whyNoPostgres } from './postgres.ts';
import { whyNoRedis } from './redis.ts';
import { temporaryFolder } from './start.ts';

const NODE = fileURLToPath(new URL('../../bin/node', import.meta.url));

/** Programs that start a server, and why none can be started here. */
const STARTS = {
  nginx: {
    why: whyNoNginx(),
    program: `const { startNginx } = await import('./nginx.ts');
const { freePort } = await import('./free-port.ts');
const port = await freePort();
await startNginx({ after: () => undefined }, \`server { listen 127.0.0.1:\${port}; }\`, port);`,
  },
  PostgreSQL: {
    why: whyNoPostgres(),
    program: `const { Postgres } = await import('./postgres.ts');
await Postgres.start();`,
  },
  Redis: {
    why: whyNoRedis(),
    program: `const { Redis } = await import('./redis.ts');
await Redis.start();`,
  },
};

for (const [name, { why, program }] of Object.entries(STARTS)) {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    test(`a run that ${signal} cuts short leaves nothing of ${name} behind`, {
      skip: why ?? false,
    }, async (t) => {
      const folder = await temporaryFolder(t);
      chmodSync(folder, 0o755);
      const words = ['--input-type=module', '--eval', `${program}\nconsole.log('started');`];
      const child = spawn(NODE, words, {
        cwd: fileURLToPath(new URL('.', import.meta.url)),
        env: { PATH: process.env.PATH, TMPDIR: folder },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = once(child, 'exit');
      await Promise.race([once(child.stdout, 'data'), ended]);
      assert.equal(readdirSync(folder).length, 1);
      child.kill(signal);
      await ended;
      assert.deepEqual(readdirSync(folder), []);
    });
}
