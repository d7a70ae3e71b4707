import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { temporaryFolder } from '../service/start.ts';
import { DEPLOY, manifests, textOf } from './files.ts';

const run = promisify(execFile);

const [, SECTION = ''] = textOf('README.md').split('## While no instance runs');
const BLOCKS = [...SECTION.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block as string);
const [DUMP = '', COMPOSE = '', KUBERNETES = ''] = BLOCKS;

/** Runs a block with programs in its way that only note what they are asked, and fail at what is `broken`. */
async function asked(t: TestContext, block: string, broken?: RegExp): Promise<string[]> {
  const folder = await temporaryFolder(t);
  const notes = join(folder, 'notes');
  for (const program of ['docker', 'kubectl']) {
    const stub = `#!/bin/sh\necho "$*" >> '${notes}'\ncat > /dev/null\n! echo "$*" | grep -Eq '${broken?.source ?? '^$'}'\n`;
    writeFileSync(join(folder, program), stub);
    chmodSync(join(folder, program), 0o755);
  }
  writeFileSync(join(folder, 'tessera.dump'), '');
  const lines = block.replaceAll('../tessera.dump', `'${join(folder, 'tessera.dump')}'`);
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
  const ended = run('sh', ['-c', lines], { cwd: join(DEPLOY, '..'), env });
  ended.child.stdin?.end();
  await ended.catch(() => undefined);
  return existsSync(notes) ? readFileSync(notes, 'utf8').trim().split('\n') : [];
}

const STARTS = /(^| )start tessera$|--replicas=2$/;
const [COMPOSED] = DUMP.split('\n');

test('after a restoring the commands come before the instances', async (t) => {
  for (const block of [`${COMPOSED}\n${COMPOSE}`, KUBERNETES]) {
    const all = await asked(t, block);
    assert.match(all.at(-1) ?? '', STARTS);
    assert.equal(all.filter((line) => STARTS.test(line)).length, 1);
  }
});

test('a restoring that fails at some step starts no instance', async (t) => {
  const [compose, kubernetes] = [`${COMPOSED}\n${COMPOSE}`, KUBERNETES];
  const steps: [string, RegExp[]][] = [
    [compose, [/dropdb/, /createdb/, /pg_restore/, /migrate up/, /tickets revoke/]],
    [kubernetes, [/^create/, /^wait/]],
  ];
  for (const [block, broken] of steps)
    for (const step of broken) {
      const all = await asked(t, block, step);
      assert.ok(
        all.some((line) => step.test(line)),
        `${step.source} is come to`,
      );
      assert.ok(!all.some((line) => STARTS.test(line)), step.source);
    }
});

test('in Kubernetes the last instance has ended before anything is restored', async (t) => {
  const { spec } = manifests().Deployment as { spec: { selector: { matchLabels: Record<string, string> } } };
  const label = Object.entries(spec.selector.matchLabels).map((entry) => entry.join('='));
  const [stopped = '', waited = ''] = await asked(t, KUBERNETES);
  assert.match(stopped, /--replicas=0$/);
  assert.ok(waited.startsWith(`wait --for=delete pod --selector=${label} `), waited);
});
