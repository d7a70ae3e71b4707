import assert from 'node:assert/strict';
import {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually, until } from '../../../service/until.ts';
import { ALL, type Asking, asking } from '../rule/asking.ts';
import { aDefinition, folderOf } from './documents.ts';

const only = (...names: readonly string[]) =>
  JSON.stringify({ extends: 'none', definitions: names.map((name) => aDefinition(name)) });

/** Waits until the list has these names. */
const untilListed = ({ names }: Asking, expected: readonly string[]) =>
  eventually(async () => assert.deepEqual(await names(ALL), expected));

/** The log lines of faults in the catalogue. */
const faultsIn = ({ service }: Asking) => service.lines.filter((line) => line.includes('catalogue faulty'));
const lastFaultIn = (caller: Asking) => faultsIn(caller).at(-1) ?? 'no fault';

test('a reloaded catalogue is used for the next request, at every path', async (t) => {
  const { at } = await folderOf(t, { 'own.json': only('first') });
  const caller = await asking(t, { TESSERA_DEFINITIONS: at('own.json') });
  assert.deepEqual(await caller.names(ALL), ['first']);
  const before = await caller.get(ALL);
  writeFileSync(at('own.json'), only('second'));
  caller.service.reload();
  assert.deepEqual(await caller.names(ALL), ['second']);
  assert.deepEqual(await caller.names('/api/node/workspace/SpacesStore/sites/actiondefs'), ['second']);
  assert.equal((await caller.get(`${ALL}/first`)).status, 404);
  assert.equal((await caller.get(`${ALL}/second`)).status, 200);
  const kept = await caller.get(ALL, { 'if-none-match': before.headers.etag });
  assert.equal(kept.status, 200, 'an old entity tag does not hold any more');
});

test('a faulty document is told in the log with its place, and the last good catalogue stays in force', async (t) => {
  const { at } = await folderOf(t, { 'own.json': only('first') });
  const caller = await asking(t, { TESSERA_DEFINITIONS: at('own.json') });
  for (const faulty of [
    '{\n"definitions": [',
    only('twice', 'twice'),
    '{"extends": "none",\n"definitions": 5}',
    '[]',
  ]) {
    writeFileSync(at('own.json'), faulty);
    caller.service.reload();
    assert.deepEqual(await caller.names(ALL), ['first']);
    assert.ok(lastFaultIn(caller).includes(`${at('own.json')}:`), lastFaultIn(caller));
  }
  rmSync(at('own.json'));
  caller.service.reload();
  assert.deepEqual(await caller.names(ALL), ['first']);
  writeFileSync(at('own.json'), only('mended'));
  caller.service.reload();
  assert.deepEqual(await caller.names(ALL), ['mended']);
});

test('definitions and model come into force together: a fault in either keeps both as they were', async (t) => {
  const own = aDefinition('own', { applicableTypes: ['cm:folder'] });
  const { at } = await folderOf(t, { 'own.json': { definitions: [own] }, 'model.json': { types: [] } });
  const caller = await asking(t, { TESSERA_DEFINITIONS: at('own.json'), TESSERA_MODEL: at('model.json') });
  const names = await caller.names(ALL);
  writeFileSync(at('own.json'), only('other'));
  writeFileSync(at('model.json'), '{"types": [{"name": "acme:a", "parent": "acme:a"}]}');
  caller.service.reload();
  assert.deepEqual(await caller.names(ALL), names);
  assert.ok(lastFaultIn(caller).includes(`${at('model.json')}:1 /types/0`), lastFaultIn(caller));
});

test('a document that is rewritten, or replaced by another file, is loaded without a signal', async (t) => {
  const { at } = await folderOf(t, { 'own.json': only('first') });
  const caller = await asking(t, { TESSERA_DEFINITIONS: at('own.json') });
  writeFileSync(at('own.json'), only('second'));
  await untilListed(caller, ['second']);
  writeFileSync(at('own.json.new'), only('third'));
  renameSync(at('own.json.new'), at('own.json'));
  await untilListed(caller, ['third']);
});

test('a document is loaded although it has the length and the time that it had before', async (t) => {
  const { at } = await folderOf(t, { 'own.json': only('one') });
  utimesSync(at('own.json'), 1, 1);
  const caller = await asking(t, { TESSERA_DEFINITIONS: at('own.json') });
  writeFileSync(at('own.json'), only('two'));
  utimesSync(at('own.json'), 1, 1);
  await untilListed(caller, ['two']);
});

test('a document that is added to a folder, or removed, is noticed without a signal', async (t) => {
  const { folder, at } = await folderOf(t, { 'a.json': only('one') });
  const caller = await asking(t, { TESSERA_DEFINITIONS: folder });
  writeFileSync(at('b.json'), only('two'));
  await untilListed(caller, ['one', 'two']);
  rmSync(at('a.json'));
  await untilListed(caller, ['two']);
});

test('hidden files in a folder are no documents: the others are read, and loaded when they change', async (t) => {
  const { folder, at } = await folderOf(t, { 'a.json': only('one'), '._a.json': '\u0000\u0005\u0016\u0007' });
  symlinkSync('someone@somewhere.1', at('.#a.json'));
  const caller = await asking(t, { TESSERA_DEFINITIONS: folder });
  assert.deepEqual(await caller.names(ALL), ['one']);
  writeFileSync(at('a.json'), only('second'));
  await untilListed(caller, ['second']);
});

test('a changed model is loaded without a signal', async (t) => {
  const { at } = await folderOf(t, { 'model.json': { types: [] } });
  const caller = await asking(t, { TESSERA_MODEL: at('model.json') });
  writeFileSync(at('model.json'), '{"types": 5}');
  await until('the fault of the model is told', () => faultsIn(caller).length > 0);
});

test('a change is seen although other files beside the document change all the time', async (t) => {
  const { at } = await folderOf(t, { 'own.json': only('first'), 'other.log': '' });
  const caller = await asking(t, { TESSERA_DEFINITIONS: at('own.json') });
  const noise = setInterval(() => appendFileSync(at('other.log'), 'a line\n'), 20);
  try {
    writeFileSync(at('own.json'), only('second'));
    await untilListed(caller, ['second']);
  } finally {
    clearInterval(noise);
  }
});

test('a document behind a link is loaded when the link is moved to another one', async (t) => {
  const { at } = await folderOf(t, { 'v1.json': only('first'), 'v2.json': only('second') });
  symlinkSync('v1.json', at('own.json'));
  const caller = await asking(t, { TESSERA_DEFINITIONS: at('own.json') });
  symlinkSync('v2.json', at('own.json.new'));
  renameSync(at('own.json.new'), at('own.json'));
  await untilListed(caller, ['second']);
});

test('a folder behind a link is loaded when the link is moved to another one', async (t) => {
  const { at } = await folderOf(t, {});
  for (const [release, name] of [
    ['v1', 'first'],
    ['v2', 'second'],
  ] as const) {
    mkdirSync(at(release));
    writeFileSync(join(at(release), 'own.json'), only(name));
  }
  symlinkSync('v1', at('current'));
  const caller = await asking(t, { TESSERA_DEFINITIONS: at('current') });
  symlinkSync('v2', at('next'));
  renameSync(at('next'), at('current'));
  await untilListed(caller, ['second']);
  writeFileSync(join(at('v2'), 'own.json'), only('third'));
  await untilListed(caller, ['third']);
});

test('a folder that replaces another is loaded, and so are later changes in it', async (t) => {
  const { folder, at } = await folderOf(t, {});
  const [own, next] = [at('own'), at('next')];
  mkdirSync(own);
  mkdirSync(next);
  writeFileSync(join(own, 'own.json'), only('first'));
  writeFileSync(join(next, 'own.json'), only('second'));
  const caller = await asking(t, { TESSERA_DEFINITIONS: own });
  renameSync(own, join(folder, 'old'));
  renameSync(next, own);
  await untilListed(caller, ['second']);
  writeFileSync(join(own, 'own.json'), only('third'));
  await untilListed(caller, ['third']);
});
