import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCases } from '../../../src/tools/conformance/run.ts';
import { play, serviceWithAccounts } from './playing.ts';

test('Tessera passes every published case, below each of its base paths', async (t) => {
  const { url } = await serviceWithAccounts(t);
  const count = loadCases().flatMap(({ cases }) => cases).length;
  for (const base of [`${url}/alfresco/service`, `${url}/alfresco/s/`, url]) {
    const done = await play(base);
    assert.equal(done.length, count);
    const wrong = done.filter(({ verdict }) => verdict !== 'passed');
    assert.deepEqual(
      wrong.map(({ played, differences }) => [played.name, differences]),
      [],
    );
  }
});
