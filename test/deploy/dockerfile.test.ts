import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validate } from 'dockerfile-utils';
import { readSettings } from '../../src/main/settings.ts';
import { SOURCES } from '../client/package.ts';
import { run } from '../faces/cli/command.ts';
import { textOf } from './files.ts';

const dockerfile = textOf('Dockerfile');
const OF_CHECKOUT = {
  skip: process.execPath.includes('node-linux-') ? false : 'no Node of the checkout here',
};

test('the Dockerfile has no fault that its linter knows', () => {
  assert.deepEqual(validate(dockerfile), []);
  assert.notEqual(validate(dockerfile.replace('USER 10001:10001', 'USR 10001')).length, 0);
});

test('what the image is built from is named by its digest, so that each build begins with the same', () => {
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base as string);
  assert.equal(bases.length, 2);
  for (const base of bases) assert.match(base, /^[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
});

test('the image runs as a user without rights, and tells whether it is ready', () => {
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
  assert.match(last, /\nUSER 10001:10001\n/);
  assert.match(last, /\nHEALTHCHECK .* CMD \["tessera", "health"\]\n/);
});

test('the image has each library that the Node of the checkout needs', OF_CHECKOUT, async () => {
  // Of Debian's slim image: libc6 and what apt needs.
  const there = /^(linux-vdso|libc|libm|libdl|libpthread|libgcc_s|libstdc\+\+|.*\/ld-linux.*)\.so\./;
  const packages: Readonly<Record<string, string>> = { 'libatomic.so.1': 'libatomic1' };
  const { stdout, code } = await run('ldd', [process.execPath]);
  assert.equal(code, 0);
  const needed = stdout.split('\n').flatMap((line) => line.trim().split(' ')[0] || []);
  assert.ok(needed.some((name) => name.startsWith('libc.so')));
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
  for (const name of needed.filter((library) => !there.test(library)))
    assert.match(last, new RegExp(`apt-get install .*\\b${packages[name] ?? name}\\b`), name);
});

test('what the package is built from is sent to be built, and no secrets of the checkout', () => {
  const lines = textOf('Dockerfile.dockerignore').trim().split('\n');
  const sent = lines.flatMap((line) => (line.startsWith('!') ? line.slice(1) : []));
  assert.deepEqual(new Set(sent), new Set([...SOURCES, '.npmrc']));
  assert.deepEqual(
    lines.filter((line) => !line.startsWith('!')),
    ['*', 'deploy/secrets'],
  );
});

test('the settings of the image are settings that there are, and lead to the ports that it tells of', () => {
  const env = Object.fromEntries(
    [...dockerfile.matchAll(/(TESSERA_\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
  );
  const { settings } = readSettings({ flags: {}, env });
  assert.deepEqual([settings.host, settings.metricsHost], ['0.0.0.0', '0.0.0.0']);
  assert.match(dockerfile, new RegExp(`\\nEXPOSE ${settings.port} ${settings.metricsPort}\\n`));
});
