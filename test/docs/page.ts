import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { BIN, environment } from '../faces/cli/command.ts';
import { afterwards } from '../service/afterwards.ts';
import { PASSWORD } from '../service/start.ts';

/** The text of a page in `docs/`, such as `how-to/run.md`. */
export const pageAt = (place: string): string => readFileSync(join(BIN, '../docs', place), 'utf8');

/** The part of a page from this heading, such as `## Caddy`, to the next one of its level or above. */
export function partOf(page: string, heading: string): string {
  const [level = ''] = heading.split(' ');
  const [, part] = page.split(`\n${heading}\n`);
  assert.ok(part !== undefined, `the page has the heading ${heading}`);
  return part.split(new RegExp(`\\n#{2,${level.length}} `))[0] ?? '';
}

/** The blocks of a kind in a text, in their order. */
export const blocksIn = (text: string, kind: string): string[] =>
  [...text.matchAll(new RegExp(`^ *\`\`\`${kind}\\n([\\s\\S]*?)^ *\`\`\`$`, 'gm'))].map(
    ([, block = '']) => block,
  );

/** The commands of a block as a test gives them: the package is installed, and `tessera` is on the path. */
export const commandsOf = (block: string): string =>
  block
    .replaceAll(/^npm ci\n/gm, '')
    .replaceAll('npm start', 'tessera serve')
    .replaceAll('bin/tessera', 'tessera');

/**
 * Runs commands of a page that end with the server, in `folder`, until the test ends. Resolves to the service's address;
 * rejects with what was printed if it ends before it listens.
 */
export async function serveAsPrinted(
  t: TestContext,
  block: string,
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const commands = commandsOf(block)
    .replace(/TESSERA_PORT=\d+/, 'TESSERA_PORT=0')
    .replace(/--port \d+/, '--port 0');
  const child = spawn('sh', ['-ec', commands], {
    cwd: folder,
    env: environment({
      TESSERA_PORT: '0',
      TESSERA_METRICS_PORT: '0',
      TESSERA_DATA: join(folder, 'data'),
      TESSERA_ADMIN_PASSWORD: PASSWORD,
      ...env,
    }),
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const ended = once(child, 'close');
  afterwards(t, async () => {
    // The shell and the server: whichever is left.
    if (child.exitCode === null) process.kill(-(child.pid as number), 'SIGKILL');
    await ended;
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    const url = /listens on (\S+)\n/.exec(said)?.[1];
    if (url !== undefined) resolve(url);
  });
  child.once('close', () => reject(new Error(`it ended before it listened:\n${commands}\n${said}`)));
  return promise;
}
