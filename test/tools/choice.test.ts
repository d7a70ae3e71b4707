import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { choose } from '../../tools/test/groups.ts';

const { groups, left } = choose(false, []);
const chosen = groups.flatMap(({ files }) => files);

test('each test file is in the short run, or left to the run of all', () => {
  const all = choose(true, []);
  assert.deepEqual(all.left, []);
  assert.deepEqual(all.groups.flatMap(({ files }) => files).sort(), [...chosen, ...left].sort());
});

test('the short run has no test that is skipped where a program is missing', () => {
  const skipping = chosen.filter((file) => /apt-get|whyNo[A-Z]/.test(readFileSync(file, 'utf8')));
  assert.deepEqual(skipping, ['test/tools/choice.test.ts'], 'this file names what it looks for');
});

test('the short run has the laws and the rules, and leaves servers, browsers and the command line', () => {
  for (const file of [
    'test/architecture.test.ts',
    'test/core/domain/ticket.test.ts',
    'test/operations/laws.test.ts',
  ])
    assert.ok(chosen.includes(file), file);
  for (const file of [
    'test/engines/postgres.test.ts',
    'test/engines/redis.test.ts',
    'test/capabilities/proxy-gate/proxies/nginx.test.ts',
    'test/capabilities/ldap/check.test.ts',
    'test/service/browser.test.ts',
    'test/faces/cli/transcripts.test.ts',
    'test/tools/run.test.ts',
  ])
    assert.ok(left.includes(file), file);
});

test('what takes longest starts first, each in a group of its own, and everything else by its size', () => {
  const { groups } = choose(true, ['test/removal.test.ts', 'test/model', 'test/operations', 'test/service']);
  const names = groups.map(({ name }) => name);
  assert.deepEqual(names.slice(0, 4), [
    ...['test/operations/laws.test.ts', 'test/removal.test.ts', 'test/operations/administration.test.ts'],
    'test/model',
  ]);
  assert.match(names[4] ?? '', /^test\/(operations|service)$/);
});
