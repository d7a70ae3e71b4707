import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { SPACES_STORE } from '../../src/domain/node.ts';
import { RepositoryNodes } from '../../src/nodes/repository.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

test('of an answer of the content repository no more is kept than is used', async (t) => {
  const answered: WeakRef<object>[] = [];
  const json = async () => {
    const properties = { 'cm:description': 'of any length' };
    answered.push(new WeakRef(properties));
    return { entry: { id: 'n1', name: 'Sites', nodeType: 'st:sites', properties } };
  };
  t.mock.method(globalThis, 'fetch', async () => ({ status: 200, json }));
  const onFault = (fault: unknown) => assert.fail(`a fault was told: ${fault}`);
  const account = { user: 'reader', password: 'secret' };
  const nodes = new RepositoryNodes({ url: 'http://content.test', deadline: 1_000, onFault, ...account });
  await nodes.locate({ store: SPACES_STORE, id: 'n1' });
  await turn();
  collectGarbage();
  assert.equal(answered.length, 1);
  assert.equal(answered[0]?.deref(), undefined);
});
