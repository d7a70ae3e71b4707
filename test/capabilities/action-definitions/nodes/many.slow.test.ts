import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createWriteStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { SPACES_STORE } from '../../../../src/capabilities/action-definitions/domain/node.ts';
import { subtree } from '../../../../src/capabilities/action-definitions/nodes/remove.ts';
import type { Store } from '../../../../src/core/storage/store.ts';
import { addUser } from '../../../core/storage/conformance/samples.ts';
import { openUntilEnd } from '../../../engines/sqlite/folder.ts';
import { run, shell } from '../../../faces/cli/command.ts';
import { afterwards } from '../../../service/afterwards.ts';
import { temporaryFolder } from '../../../service/start.ts';
import { openSqlite } from '../../../service/stores.ts';
import { onFolder } from './command-line.ts';
import { aLine } from './import-lines.ts';

const COUNT = 50_000;
/** Each node has ten children. The long names make the file larger than the memory of the import. */
const PADDING = 'x'.repeat(500);

const lineOf = (n: number) =>
  aLine(`n${n}`, { name: `${n} ${PADDING}`, parent: n < 10 ? 'sites' : `n${Math.floor(n / 10) - 1}` });

async function writeFile(file: string, lines: Iterable<string>): Promise<void> {
  const stream = createWriteStream(file);
  for (const line of lines) if (!stream.write(`${line}\n`)) await once(stream, 'drain');
  stream.end();
  await once(stream, 'close');
}

function* childrenFirst(): Generator<string> {
  for (let n = COUNT - 1; n >= 0; n--) yield lineOf(n);
}

test('an import of more than fits into memory, children first, takes every line and leaves no file behind', async (t) => {
  const folder = await temporaryFolder(t);
  const file = join(folder, 'nodes.ndjson');
  await writeFile(file, childrenFirst());
  const temporary = await temporaryFolder(t);
  const env = {
    TESSERA_DATA: join(folder, 'store'),
    TMPDIR: temporary,
    NODE_OPTIONS: '--max-old-space-size=32',
  };
  const { stdout, stderr, code } = await run('tessera', ['nodes', 'import', file], { env });
  assert.deepEqual([stdout, stderr, code], [`Imported ${COUNT} nodes.\n`, '', 0]);
  assert.deepEqual(readdirSync(temporary), []);
  const deepest = await run('tessera', ['nodes', 'show', `${SPACES_STORE}/n${COUNT - 1}`, '--json'], { env });
  assert.equal(JSON.parse(deepest.stdout)[0].parent, `n${Math.floor((COUNT - 1) / 10) - 1}`);
});

/** Puts this number of nodes into one folder. */
const fill = (store: Store, many: number) =>
  store.write(async ({ nodes }) => {
    for (let n = 0; n < many; n++)
      await nodes.put({
        store: SPACES_STORE,
        id: `n${n}`,
        type: 'cm:content',
        name: `n${n}`,
        parent: 'sites',
      });
  });

test('a folder of very many nodes can be removed', async (t) => {
  const many = 150_000;
  const store = openSqlite(await temporaryFolder(t));
  afterwards(t, () => store.close());
  await fill(store, many);
  await store.read(async ({ nodes }) => {
    const sites = await nodes.find(SPACES_STORE, 'sites');
    assert.ok(sites);
    const all = await subtree(nodes, sites);
    assert.equal(all.length, many + 1);
    assert.deepEqual(all.at(-1), sites, 'what holds others comes last');
  });
});

test('while very many nodes are removed, others write', async (t) => {
  // So many that their removal pauses for a second in all, which a test can notice.
  const many = 20_000;
  const { nodes, data } = await onFolder(t);
  const store = openUntilEnd(t, data);
  await fill(store, many);
  let isOver = false;
  const removed = nodes(['remove', `${SPACES_STORE}/sites`, '--recursive']).finally(() => {
    isOver = true;
  });
  const left = async () => (await store.read((unit) => unit.nodes.children(SPACES_STORE, 'sites'))).length;
  while (!isOver && (await left()) === many) await turn();
  await addUser(store, 'ada');
  assert.ok((await left()) > 0, 'the writing waited for the end');
  assert.equal((await removed).stdout, `Removed ${many + 1} nodes.\n`);
});

test('an import on a terminal shows how far it is, and takes the bar away', async (t) => {
  const folder = await temporaryFolder(t);
  const file = join(folder, 'nodes.ndjson');
  await writeFile(
    file,
    Array.from({ length: 3_000 }, (_, n) => aLine(`n${n}`)),
  );
  const env = { TESSERA_DATA: join(folder, 'store') };
  const shown = await shell(`script -qec "tessera nodes import '${file}'" /dev/null`, { env });
  assert.equal(shown.code, 0, shown.stdout);
  const drawn = shown.stdout.split('\r\x1b[K');
  assert.match(drawn.at(-2) ?? '', /^\[#{30}\] 100 % {2}3000 nodes$/);
  assert.match(drawn.at(-1) ?? '', /^Imported 3000 nodes\.\r?\n$/);
});

test('an import of what has no size shows no share of it', async (t) => {
  const folder = await temporaryFolder(t);
  const file = join(folder, 'nodes.ndjson');
  await writeFile(file, [aLine('a')]);
  const env = { TESSERA_DATA: join(folder, 'store') };
  const shown = await shell(`script -qec "cat '${file}' | tessera nodes import /dev/stdin" /dev/null`, {
    env,
  });
  assert.match(shown.stdout, /\[\.{30}\] {3}0 % {2}1 nodes/);
});

test('an import without a terminal shows no bar', async (t) => {
  const env = { TESSERA_DATA: await temporaryFolder(t) };
  const { stdout, stderr } = await run('tessera', ['nodes', 'import', '-'], { env, stdin: aLine('a') });
  assert.deepEqual([stdout, stderr], ['Imported 1 node.\n', '']);
});
