import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { serve } from '../first-start/serve.ts';
import { temporaryFolder } from '../service/start.ts';

const UNUSABLE: readonly [name: string, make: (file: string) => Promise<unknown>, why: RegExp][] = [
  ['a file without a key', (file) => writeFile(file, 'change-me'), /it holds no key: write 64 hex digits/],
  ['a folder', (file) => mkdir(file), /EISDIR/],
];
for (const [name, make, why] of UNUSABLE) {
  test(`${name} as the throttle key is a fault of the settings, told in a sentence`, async (t) => {
    const file = join(await temporaryFolder(t), 'key');
    await make(file);
    const env = { TESSERA_DATA: await temporaryFolder(t), TESSERA_THROTTLE_KEY_FILE: file };
    const { ended, told } = serve(t, { env });
    assert.equal(await ended, 2);
    assert.ok(told().includes(`- TESSERA_THROTTLE_KEY_FILE: ${file} cannot be used: `), told());
    assert.match(told(), why);
    assert.doesNotMatch(told(), /change-me|\n {4}at /);
  });
}
