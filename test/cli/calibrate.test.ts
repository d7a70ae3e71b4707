import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { temporaryFolder } from '../service/start.ts';
import { run } from './command.ts';

test('for programs, calibrate tells the machine, each cost of a hash and validations as one JSON document', async (t) => {
  const TMPDIR = await temporaryFolder(t);
  const env = { TMPDIR, TESSERA_HASH_MEMORY: '19456', TESSERA_HASH_PASSES: '2', TESSERA_LOG_LEVEL: 'warn' };
  const { stdout, stderr, code } = await run('tessera', ['calibrate', '--json'], { env, patience: 60_000 });
  assert.deepEqual({ stderr, code }, { stderr: '', code: 0 });
  const { machine, hashes, validations } = JSON.parse(stdout);
  assert.equal(machine.node, process.version);
  // The cost in effect is among those that are advised: it is not measured twice.
  assert.deepEqual(
    hashes.map(({ cost }: { cost: { memory: number } }) => cost.memory),
    [7_168, 12_288, 19_456, 47_104, 65_536],
  );
  for (const { cost, perSecond, each, memoryAtOnce } of hashes) {
    assert.ok(perSecond > 0);
    assert.ok(Math.abs((perSecond * each) / 1_000 - machine.cores) < 0.01);
    assert.equal(memoryAtOnce, (machine.cores * cost.memory) / 1_024);
  }
  assert.ok(validations.perSecond > 0 && validations.p50 <= validations.p99);
  assert.equal(validations.logLevel, 'warn');
  assert.deepEqual(readdirSync(TMPDIR), []);
});

test('calibrate refuses settings that are none before it measures anything', async () => {
  const { stdout, stderr, code } = await run('tessera', ['calibrate'], { env: { TESSERA_FOO: '1' } });
  assert.deepEqual({ stdout, code }, { stdout: '', code: 2 });
  assert.match(stderr, /TESSERA_FOO: there is no such setting/);
});
