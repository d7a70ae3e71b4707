import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { faultOfBreach, faultOfBreachedFile } from '../../../src/core/identity/breached-passwords.ts';
import { temporaryFolder } from '../../service/start.ts';

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex').toUpperCase();

const COUNT = 5_000;
const PASSWORDS = Array.from({ length: COUNT }, (_, at) => `password ${at}`);
const HASHES = PASSWORDS.map(sha1).sort();
const [FIRST, LAST] = [HASHES[0], HASHES[COUNT - 1]];
const passwordOf = (hash: string | undefined) => PASSWORDS.find((password) => sha1(password) === hash) ?? '';

async function fileOf(t: TestContext, content: string): Promise<string> {
  const file = join(await temporaryFolder(t), 'breached.txt');
  writeFileSync(file, content);
  return file;
}

/** Files in all allowed forms. */
const FORMS: Readonly<Record<string, string>> = {
  'hashes with counts, as Have I Been Pwned offers them': HASHES.map(
    (hash, at) => `${hash}:${at ** 2}\n`,
  ).join(''),
  'carriage returns': HASHES.map((hash, at) => `${hash}:${at}\r\n`).join(''),
  'no line feed at its end': HASHES.map((hash, at) => `${hash}:${at}`).join('\n'),
  'hashes alone, in lower case': HASHES.map((hash) => `${hash.toLowerCase()}\n`).join(''),
  'the first 16 digits of each hash': HASHES.map((hash) => `${hash.slice(0, 16)}\n`).join(''),
  'these digits, and no line feed at its end': HASHES.map((hash) => hash.slice(0, 16)).join('\n'),
};

for (const [form, content] of Object.entries(FORMS)) {
  test(`every password of a file with ${form} is found, and no other`, async (t) => {
    const file = await fileOf(t, content);
    assert.equal(await faultOfBreachedFile(file), undefined);
    const some = PASSWORDS.filter((_, at) => at % 50 === 0);
    for (const password of [passwordOf(FIRST), passwordOf(LAST), ...some])
      assert.match(
        (await faultOfBreach(file, password))?.sentence ?? 'no fault',
        /was breached.*choose another/,
        password,
      );
    for (let at = 0; at < 100; at += 1) assert.equal(await faultOfBreach(file, `another ${at}`), undefined);
  });
}

test('a file of one line contains that hash, and no lower or higher one', async (t) => {
  const file = await fileOf(t, `${sha1('only')}:1\n`);
  assert.match((await faultOfBreach(file, 'only'))?.sentence ?? '', /was breached/);
  for (let at = 0; at < 20; at += 1) assert.equal(await faultOfBreach(file, `another ${at}`), undefined);
});

test('a password is looked up as it was typed and in NFC', async (t) => {
  for (const spelling of ['Zoe\u0308', 'Zo\u00eb']) {
    const file = await fileOf(t, `${sha1(spelling)}\n`);
    assert.match((await faultOfBreach(file, 'Zoe\u0308'))?.sentence ?? '', /was breached/);
  }
});

test('a file that cannot be used is reported with what to do, and every password is refused', async (t) => {
  const folder = await temporaryFolder(t);
  mkdirSync(join(folder, 'folder'));
  const unsorted = HASHES.toReversed().join('\n');
  for (const [name, content, why] of [
    ['missing', undefined, /missing: there is no such file: name one, or leave the setting out/],
    ['folder', undefined, /it is a folder: name one file/],
    ['empty', '', /it is empty: name a file of hashes/],
    ['words', 'password\nhunter2\n'.repeat(100), /the line at byte 0 is no SHA-1 in hex/],
    ['short', 'ABCDEF0123\n'.repeat(100), /is no SHA-1 in hex/],
    ['long', `${'A'.repeat(500)}\n`, /is no SHA-1 in hex/],
    ['unsorted', unsorted, /it is not sorted by hash: sort it/],
  ] as const) {
    const file = join(folder, name);
    if (content !== undefined) writeFileSync(file, content);
    assert.match((await faultOfBreachedFile(file)) ?? 'no fault', why);
    for (const password of ['hunter2', 'correct-horse-battery'])
      assert.match(
        (await faultOfBreach(file, password))?.sentence ?? 'no fault',
        /cannot be looked up in /,
        name,
      );
  }
});

test('a fault in the line that a look-up ends at is reported', async (t) => {
  const file = await fileOf(t, `${HASHES.join('\n')}\n`);
  appendFileSync(file, 'not a hash\n');
  const behindAll = Array.from({ length: 50_000 }, (_, at) => `late ${at}`).find(
    (text) => sha1(text) > (LAST ?? ''),
  );
  assert.match((await faultOfBreach(file, behindAll ?? ''))?.sentence ?? 'no fault', /is no SHA-1 in hex/);
});
