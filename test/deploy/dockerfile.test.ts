import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { validate } from 'dockerfile-utils';
import { readSettings } from '../../src/settings/read.ts';
import { DEPLOY, textOf } from './files.ts';

const dockerfile = textOf('Dockerfile');

test('the Dockerfile has no fault that its linter knows', () => {
  assert.deepEqual(validate(dockerfile), []);
  assert.notEqual(validate(dockerfile.replace('USER 10001:10001', 'USR 10001')).length, 0);
});

test('the image runs as a user without rights, and tells whether it is ready', () => {
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
  assert.match(last, /\nUSER 10001:10001\n/);
  assert.match(last, /\nHEALTHCHECK [\s\S]*127\.0\.0\.1:9464\/health\/ready/);
});

test('what the image copies is there, and no more is sent to be built', () => {
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files = '']) =>
    files.split(' '),
  );
  const sent = [...textOf('Dockerfile.dockerignore').matchAll(/^!(.+)$/gm)].map(([, file]) => file as string);
  assert.deepEqual(new Set(copied), new Set(sent));
  for (const file of sent) assert.ok(existsSync(join(DEPLOY, '..', file)), file);
});

test('the settings of the image are settings that there are, and lead to the ports that it tells of', () => {
  const env = Object.fromEntries(
    [...dockerfile.matchAll(/(TESSERA_\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
  );
  const { settings } = readSettings({ flags: {}, env });
  assert.deepEqual([settings.host, settings.metricsHost], ['0.0.0.0', '0.0.0.0']);
  assert.match(dockerfile, new RegExp(`\\nEXPOSE ${settings.port} ${settings.metricsPort}\\n`));
});
