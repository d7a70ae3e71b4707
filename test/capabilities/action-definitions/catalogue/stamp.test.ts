import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { test } from 'node:test';
import { documentsStampAsync } from '../../../../src/capabilities/action-definitions/catalogue/stamp.ts';
import { aDefinition, folderOf } from './documents.ts';

test('a check of the files blocks one thread at most, even if a file system does not answer', async (t) => {
  const documents = { 'a.json': [aDefinition('a')], 'b.json': [aDefinition('b')], model: {} };
  const { folder, at } = await folderOf(t, documents);
  const stat = fs.stat;
  const hanging: string[] = [];
  const definitionHangs = Promise.withResolvers<void>();
  t.mock.method(fs, 'stat', (path: string) => {
    if (path === folder) return stat(path);
    hanging.push(path);
    if (path !== at('model')) definitionHangs.resolve();
    return new Promise(() => undefined);
  });
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  void documentsStampAsync({ definitions: folder, model: at('model') });
  await definitionHangs.promise;
  assert.deepEqual(hanging, [at('a.json')]);
});
