import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { BIN, environment, run } from '../../faces/cli/command.ts';
import { afterwards } from '../../service/afterwards.ts';
import { childrenOf } from '../../service/children.ts';
import { temporaryFolder } from '../../service/start.ts';
import { until } from '../../service/until.ts';

test('with --json, calibrate prints the machine, each cost of a hash and validations as one JSON document', async (t) => {
  const TMPDIR = await temporaryFolder(t);
  const env = { TMPDIR, TESSERA_HASH_MEMORY: '19456', TESSERA_HASH_PASSES: '2', TESSERA_LOG_LEVEL: 'warn' };
  const { stdout, stderr, code } = await run('tessera', ['calibrate', '--json'], { env });
  assert.deepEqual({ stderr, code }, { stderr: '', code: 0 });
  const { machine, hashes, validations } = JSON.parse(stdout);
  assert.equal(machine.node, process.version);
  // The cost in effect is one of the recommended costs, so it is not measured twice.
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

test('calibrate leaves neither its service nor its folder behind when the terminal hangs up', async (t) => {
  const TMPDIR = await temporaryFolder(t);
  const child = spawn(`${BIN}/tessera`, ['calibrate'], {
    env: environment({ TMPDIR }),
    stdio: 'ignore',
    detached: true,
  });
  const ended = once(child, 'exit');
  const tell = (signal: NodeJS.Signals) => process.kill(-(child.pid as number), signal);
  afterwards(t, () => {
    if (readdirSync(TMPDIR).length > 0) tell('SIGKILL');
  });
  const serves = () => readdirSync(TMPDIR, { recursive: true }).some((name) => String(name).endsWith('.db'));
  await until('its service is there', () => child.exitCode !== null || serves());
  const [service = Number.NaN] = childrenOf(child);
  // The command cannot end before its service does.
  process.kill(service, 'SIGSTOP');
  // To the whole process group, and more than once, as the shell and the kernel send it.
  tell('SIGHUP');
  await pause(20);
  tell('SIGHUP');
  process.kill(service, 'SIGCONT');
  assert.deepEqual(await ended, [null, 'SIGHUP']);
  assert.deepEqual(readdirSync(TMPDIR), []);
});

test('calibrate reports that its service did not start, with the output of the service', async (t) => {
  const fault = "if (process.argv.includes('serve')) { console.error('out of order'); process.exit(1); }";
  const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(fault)}`;
  const TMPDIR = await temporaryFolder(t);
  const { stdout, stderr, code } = await run('tessera', ['calibrate'], { env: { NODE_OPTIONS, TMPDIR } });
  assert.deepEqual({ stdout, code }, { stdout: '', code: 1 });
  assert.match(stderr, /^The service to measure did not start: out of order\n+$/);
  assert.deepEqual(readdirSync(TMPDIR), []);
});

test('calibrate refuses unknown settings before it measures', async () => {
  const { stdout, stderr, code } = await run('tessera', ['calibrate'], { env: { TESSERA_FOO: '1' } });
  assert.deepEqual({ stdout, code }, { stdout: '', code: 2 });
  assert.match(stderr, /TESSERA_FOO: there is no such setting/);
});
