import assert from 'node:assert/strict';
import { existsSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { applying, diffOf } from './applying.ts';

const wiki = { host: 'wiki.example.org', allow: 'signed-in' };
const shut = { allow: 'none' };
const open = { path: '/open', allow: 'public' };

test('the rules of the file replace those of the document that is named, and each difference is shown', async (t) => {
  const { apply, path, read, state } = await applying(t);
  const flags = `--rules ${path('rules.json')}`;
  const made = await apply({ gateRules: [wiki, shut] }, flags);
  assert.deepEqual(diffOf(made), [
    `+ gate rule ${JSON.stringify(wiki)}`,
    `+ gate rule ${JSON.stringify(shut)}`,
  ]);
  assert.deepEqual(JSON.parse(read('rules.json')), { rules: [wiki, shut] });
  assert.equal(statSync(path('rules.json')).mode & 0o777, 0o644);
  assert.match((await apply({ gateRules: [wiki, shut] }, flags)).stdout, /^Nothing to change/);
  const changed = { gateRules: [open, shut, wiki] };
  const diff = [`+ gate rule ${JSON.stringify(open)}`, `~ gate rule ${JSON.stringify(wiki)} place: 1 → 3`];
  assert.deepEqual(diffOf(await apply(changed, `${flags} --dry-run`)), diff);
  assert.deepEqual(JSON.parse(read('rules.json')), { rules: [wiki, shut] });
  assert.deepEqual(diffOf(await apply(changed, flags)), diff);
  assert.deepEqual((await state(` ${flags}`)).gateRules, [open, shut, wiki]);
  assert.deepEqual(diffOf(await apply({ gateRules: [open] }, flags)), [
    `- gate rule ${JSON.stringify(shut)}`,
    `- gate rule ${JSON.stringify(wiki)}`,
  ]);
});

test('the document keeps its $schema and its mode, and a link to it stays a link', async (t) => {
  const { apply, path, read } = await applying(t);
  writeFileSync(path('real.json'), '{"$schema": "gate-rules.schema.json", "rules": []}', { mode: 0o640 });
  symlinkSync(path('real.json'), path('rules.json'));
  await apply({ gateRules: [shut] }, `--rules ${path('rules.json')}`);
  assert.deepEqual(JSON.parse(read('real.json')), { $schema: 'gate-rules.schema.json', rules: [shut] });
  assert.equal(statSync(path('real.json')).mode & 0o777, 0o640);
});

test('where the store refuses, the document of the rules stays as it is', async (t) => {
  const { apply, path } = await applying(t);
  const { code } = await apply(
    { users: [{ name: 'ann', groups: ['unknown'] }], gateRules: [shut] },
    `--rules ${path('rules.json')}`,
  );
  assert.equal(code, 1);
  assert.ok(!existsSync(path('rules.json')) && !existsSync(path('rules.json.new')));
});

test('where the document of the rules cannot be written, the store stays as it is', async (t) => {
  const { apply, events } = await applying(t);
  await apply({ users: [{ name: 'ben' }] });
  const before = await events();
  const { code, stderr } = await apply(
    { users: [{ name: 'ann' }], gateRules: [shut] },
    '--rules /proc/no-such-folder/rules.json',
  );
  assert.equal(code, 1);
  assert.match(stderr, /^\/proc\/no-such-folder\/rules\.json cannot be written/);
  assert.deepEqual(await events(), before);
});

test('rules without a document to write them to are refused', async (t) => {
  const { apply } = await applying(t);
  assert.match(
    (await apply({ gateRules: [shut] })).stderr,
    /^The file has gateRules, but no setting says where the service reads them: .*TESSERA_GATE_RULES/,
  );
});
