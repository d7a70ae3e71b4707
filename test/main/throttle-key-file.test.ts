import assert from 'node:assert/strict';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeThrottleKey, readThrottleKey, throttleKeyPlace } from '../../src/core/identity/throttle-key.ts';
import { stepsOnDisk } from '../engines/steps-on-disk.ts';
import { temporaryFolder } from '../service/start.ts';

/** The key in this file, which is made if it is missing. */
function keyIn(file: string): Buffer {
  makeThrottleKey(file);
  return readThrottleKey(file);
}

test('the key is in the data folder, or in the file that is set', () => {
  assert.equal(throttleKeyPlace('', '/srv/tessera'), '/srv/tessera/throttle-key');
  assert.equal(throttleKeyPlace('/run/secrets/key', '/srv/tessera'), '/run/secrets/key');
});

test('a missing key is made: 256 random bits in a file that only its owner reads, and nothing beside it', async (t) => {
  const folder = join(await temporaryFolder(t), 'new', 'folder');
  const file = join(folder, 'throttle-key');
  const key = keyIn(file);
  assert.equal(key.length, 32);
  assert.equal(readFileSync(file, 'utf8'), `${key.toString('hex')}\n`);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(folder), ['throttle-key']);
});

test('a key that is made is on the disk before it is used, and so is the name of its file', async (t) => {
  const folder = await temporaryFolder(t);
  const file = join(folder, 'throttle-key');
  const steps = stepsOnDisk(t);
  makeThrottleKey(file);
  const [draft, ...further] = steps;
  assert.match(draft ?? '', /^synced: .*\/throttle-key\.[0-9a-f]+$/);
  assert.deepEqual(further, [`linked: ${file}`, `synced: ${folder}`]);
});

test('a process of the same id, such as one in another container, may make the key at the same time', async (t) => {
  const folder = await temporaryFolder(t);
  const [file, theirs] = [join(folder, 'throttle-key'), join(folder, `throttle-key.${process.pid}`)];
  writeFileSync(theirs, 'not linked yet');
  makeThrottleKey(file);
  assert.equal(readFileSync(theirs, 'utf8'), 'not linked yet');
});

test('the key stays the same, and two keys are not alike', async (t) => {
  const folder = await temporaryFolder(t);
  const [one, other] = [join(folder, 'one'), join(folder, 'other')];
  assert.deepEqual(keyIn(one), keyIn(one));
  assert.notDeepEqual(keyIn(one), keyIn(other));
});

test('a longer key is accepted, with any white space around it', async (t) => {
  const file = join(await temporaryFolder(t), 'key');
  writeFileSync(file, `\n  ${'ab'.repeat(40)}\r\n`);
  assert.deepEqual(keyIn(file), Buffer.alloc(40, 0xab));
});

test('a file that holds no key is left as it is, and the message names the mend', async (t) => {
  const file = join(await temporaryFolder(t), 'key');
  for (const content of ['', 'not hex at all', 'ab'.repeat(31)]) {
    writeFileSync(file, content);
    assert.throws(() => keyIn(file), /it holds no key: put the kept one there, or write 64 hex digits/);
    assert.equal(readFileSync(file, 'utf8'), content);
  }
});

test('a file that cannot be read is not replaced', async (t) => {
  const folder = await temporaryFolder(t);
  assert.throws(() => keyIn(folder), /EISDIR/);
  const file = join(folder, 'key');
  writeFileSync(file, 'ab'.repeat(32));
  chmodSync(file, 0o400);
  assert.deepEqual(keyIn(file), Buffer.alloc(32, 0xab));
});
