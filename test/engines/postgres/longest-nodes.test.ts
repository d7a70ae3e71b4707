import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { SPACES_STORE } from '../../../src/capabilities/action-definitions/domain/node.ts';
import { aLine, importInto } from '../../capabilities/action-definitions/nodes/import-lines.ts';
import { testsOnPostgres } from '../../service/postgres.ts';
import { openUntilEnd } from './opened.ts';

const test = await testsOnPostgres();

/** As many Chinese characters as a line of an import takes, none of which tells the next: an index cannot press them. */
function longest(seed: string): string {
  const drawn = Array.from({ length: 341 }, (_, at) => createHash('md5').update(`${seed} ${at}`).digest());
  return String.fromCharCode(...drawn.map((bytes) => 0x4e00 + (bytes.readUInt16LE() % 0x5000)));
}

test('ids and names as long as an import takes them are kept, and found', async (t, server) => {
  const store = await openUntilEnd(t, await server.freshSchema());
  const [parent, id, name] = [longest('parent'), longest('id'), longest('name')];
  const { lines } = await importInto(store, [aLine(parent), aLine(id, { name, parent })]);
  assert.deepEqual(lines, []);
  const found = await store.read(({ nodes }) => nodes.child(SPACES_STORE, parent, name));
  assert.equal(found?.id, id);
});
