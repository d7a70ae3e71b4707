import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { textOf } from '../deploy/files.ts';
import { run } from '../faces/cli/command.ts';
import { freePort } from '../service/free-port.ts';
import { besideSlimMachine, slimDebian } from './another-machine.ts';

/** What the last stage of the Dockerfile says about the image. */
function image() {
  const text = textOf('Dockerfile');
  const last = text.slice(text.lastIndexOf('\nFROM ')).replaceAll('\\\n', ' ');
  const words = (name: string) =>
    JSON.parse(new RegExp(`${name} (\\[.*\\])$`, 'm').exec(last)?.[1] ?? '') as string[];
  const one = (pattern: RegExp) => pattern.exec(last)?.[1] ?? assert.fail(String(pattern));
  return {
    packages: one(/apt-get install -y --no-install-recommends ([^&]+) &&/)
      .trim()
      .split(' '),
    folder: one(/^COPY --from=files \/files(\S+) \1$/m),
    data: one(/^VOLUME (\S+)$/m),
    env: one(/^ENV (.+)$/m)
      .trim()
      .split(/\s+/),
    program: [...words('^ENTRYPOINT'), ...words('^CMD')],
    health: words('HEALTHCHECK.* CMD'),
  };
}

/**
 * Starts what the Dockerfile says, on the packages of Debian that it names and nothing else, with a root that nobody can write to. Tells
 * whether it becomes healthy, logs in, and stops.
 */
export async function assertImageServes(t: TestContext, deb: string): Promise<void> {
  const { packages, folder, data, env, program, health } = image();
  const root = await slimDebian(t, packages);
  mkdirSync(join(root, data), { recursive: true });
  const unpack = `dpkg-deb --fsys-tarfile "$0" | tar -x -C "$1" ".$2"`;
  assert.equal((await run('sh', ['-euc', unpack, deb, root, folder])).code, 0);
  const port = await freePort();
  const given = [
    ...env,
    `TESSERA_PORT=${port}`,
    `TESSERA_METRICS_PORT=${await freePort()}`,
    'TESSERA_ADMIN_PASSWORD=a-long-quiet-river',
  ];
  const inIt = (words: readonly string[]) =>
    `in_it env -i ${[...given, ...words].map((word) => `'${word}'`).join(' ')}`;
  const { stdout, stderr, code } = await besideSlimMachine(
    `(${inIt(program)}) >"$root/tmp/log" 2>&1 & service=$!
    until (${inIt(health)}) 2>/dev/null; do kill -0 "$service" || { cat "$root/tmp/log" >&2; exit 1; }; done
    curl -sS http://127.0.0.1:${port}/alfresco/service/api/login -d '{"username":"admin","password":"a-long-quiet-river"}' | grep -o TICKET
    kill -INT "$service"; wait "$service"; echo "ended with $?"`,
    root,
    data,
  );
  assert.deepEqual({ stdout, code }, { stdout: 'ready\nTICKET\nended with 0\n', code: 0 }, stderr);
}
