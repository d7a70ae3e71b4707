import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { SPACES_STORE } from '../../../../src/capabilities/action-definitions/domain/node.ts';
import { RepositoryNodes } from '../../../../src/capabilities/action-definitions/nodes/repository.ts';
import { RepositoryClient } from '../../../../src/capabilities/action-definitions/nodes/repository-client.ts';
import { HttpClient } from '../../../../src/core/http-client.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const { ask } = HttpClient.prototype;

/** The nodes of a content repository whose answers this function makes. */
function answeredBy(t: TestContext, bodyOf: () => object): RepositoryNodes {
  // A mock would keep the answers that it returned.
  HttpClient.prototype.ask = async () => ({ status: 200, body: bodyOf() });
  t.after(() => {
    HttpClient.prototype.ask = ask;
  });
  const onFault = (fault: unknown) => assert.fail(`a fault was told: ${fault}`);
  const account = { user: 'reader', password: 'secret' };
  const parts = { url: 'http://content.test', deadline: 1_000, onFault, ...account };
  return new RepositoryNodes(new RepositoryClient(parts));
}

test('of an answer of the content repository no more is kept than is used', async (t) => {
  const answered: WeakRef<object>[] = [];
  const bodyOf = () => {
    const properties = { 'cm:description': 'of any length' };
    answered.push(new WeakRef(properties));
    return { entry: { id: 'n1', name: 'Sites', nodeType: 'st:sites', properties } };
  };
  const nodes = answeredBy(t, bodyOf);
  await nodes.locate({ store: SPACES_STORE, id: 'n1' });
  await turn();
  collectGarbage();
  assert.equal(answered.length, 1);
  assert.equal(answered[0]?.deref(), undefined);
});

test('answers are kept by the length of what was asked: after 400 long ids the first is asked for anew, after 400 short ones not', async (t) => {
  t.mock.method(performance, 'now', () => 1);
  for (const [length, asked] of [
    [12_000, 401],
    [12, 400],
  ] as const) {
    let answers = 0;
    const nodes = answeredBy(t, () => {
      answers += 1;
      return { entry: { id: 'n1', name: 'Sites', nodeType: 'st:sites' } };
    });
    for (let index = 0; index <= 400; index += 1)
      await nodes.locate({ store: SPACES_STORE, id: `${index % 400}`.padEnd(length, 'x') });
    assert.equal(answers, asked, `ids of ${length} characters`);
  }
});
