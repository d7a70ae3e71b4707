import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const read = (file: string) => JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'));

test('baselines use the same versions of libraries as Tessera does', () => {
  const [own, tesseras] = [read('bench/package-lock.json').packages, read('package-lock.json').packages];
  const shared = Object.keys(read('bench/package.json').dependencies)
    .map((name) => `node_modules/${name}`)
    .filter((place) => place in tesseras);
  assert.deepEqual(shared, [
    'node_modules/@node-rs/argon2',
    'node_modules/@redis/client',
    'node_modules/oidc-provider',
    'node_modules/pg',
  ]);
  for (const place of shared) assert.equal(own[place].version, tesseras[place].version, place);
});
