import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

interface Locked {
  readonly license?: string;
  readonly dev?: boolean;
}

/** Licences under which a package may be installed beside one under Apache-2.0: they ask for their notice, and nothing else. */
const PERMISSIVE = new Set([
  '(MIT OR Apache-2.0)',
  'MIT OR Apache-2.0',
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  // How htmx.org writes 0BSD.
  'BSD-0-Clause',
  'ISC',
  'MIT',
  // MIT without the notice.
  'MIT-0',
]);

/** Of tools that no package contains: they are used as they are, and change nothing of the licence of what they check. */
const OF_TOOLS = new Set([...PERMISSIVE, '(MIT OR EUPL-1.1+)', 'CC0-1.0', 'MPL-2.0']);

const lock = readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8');
const packages = Object.entries(
  (JSON.parse(lock) as { readonly packages: Readonly<Record<string, Locked>> }).packages,
).filter(([path]) => path !== '');

test('each package of the lock has a licence that the project can use', () => {
  assert.ok(packages.length > 200);
  const unusable = packages
    .filter(([, { license = '', dev }]) => !(dev === true ? OF_TOOLS : PERMISSIVE).has(license))
    .map(([path, { license }]) => `${path}: ${license}`);
  assert.deepEqual(unusable, []);
});

test('no package of the lock needs a script to be installed', () => {
  assert.deepEqual(
    packages.filter(([, locked]) => 'hasInstallScript' in locked).map(([path]) => path),
    [],
  );
});
