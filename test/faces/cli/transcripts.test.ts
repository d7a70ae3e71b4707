import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { startTestService, temporaryFolder } from '../../service/start.ts';
import { type Surroundings, shell } from './command.ts';
import { compare, readTranscript } from './transcript.ts';

const FOLDER = new URL('transcripts/', import.meta.url);

function transcriptsIn(folder: URL) {
  const files = readdirSync(folder).filter((file) => file.endsWith('.txt'));
  assert.ok(files.length > 0);
  return files.map((file) => readTranscript(readFileSync(new URL(file, folder), 'utf8')));
}

async function play(steps: ReturnType<typeof readTranscript>['steps'], around: Surroundings): Promise<void> {
  assert.ok(steps.length > 0);
  for (const step of steps) compare(step, await shell(step.command, { ...around, stdin: step.stdin }));
}

for (const { promise, steps } of transcriptsIn(FOLDER)) {
  test(promise, async (t) => play(steps, { cwd: await temporaryFolder(t) }));
}

for (const { promise, steps } of transcriptsIn(new URL('while-it-runs/', FOLDER))) {
  test(`while the service runs: ${promise}`, async (t) => {
    const { url, data } = await startTestService(t);
    await play(steps, { cwd: data, env: { TESSERA_DATA: data, URL: url } });
  });
}
