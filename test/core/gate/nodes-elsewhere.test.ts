import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  ContentRepository,
  kept,
  READER,
} from '../../capabilities/action-definitions/nodes/content-repository.ts';
import { ALL, askingAs, ofNode } from '../../capabilities/action-definitions/rule/asking.ts';
import { startTestService } from '../../service/start.ts';
import { ask } from '../../service/talk.ts';
import { definitionsOf } from '../v1/places.ts';
import { ChangedStore } from './changed-store.ts';

/** A service that asks a content repository for nodes, with the cost of a call to it. */
async function inFront(t: TestContext) {
  const repository = await ContentRepository.start(t, kept('folder', 'cm:folder'));
  const store = new ChangedStore();
  const nodes = { TESSERA_NODES: repository.url, TESSERA_NODES_USER: READER.name };
  const env = { ...nodes, TESSERA_NODES_PASSWORD: READER.password };
  const service = await startTestService(t, env, () => store);
  const { ticket } = await askingAs(service);
  /** The status of an answer, how many units its call opened, and how many nodes it asked for. */
  const cost = async (path: string, authorization = `Bearer ${ticket}`) => {
    const [units, asked] = [store.reads + store.writes, repository.asked.length];
    const { status } = await ask(service.url + path, { headers: { authorization } });
    return {
      status,
      units: store.reads + store.writes - units,
      asked: repository.asked.length - asked,
    };
  };
  return { cost };
}

test('a caller is authenticated before the repository is asked for a node, and again after that', async (t) => {
  const { cost } = await inFront(t);
  assert.deepEqual(await cost(ofNode('folder')), { status: 200, units: 2, asked: 1 });
});

test('a call without a node is one unit, with a repository too', async (t) => {
  const { cost } = await inFront(t);
  assert.deepEqual(await cost(`${ALL}/copy`), { status: 200, units: 1, asked: 0 });
});

test('the repository is not asked for a caller who is not authenticated', async (t) => {
  const { cost } = await inFront(t);
  const dead = `Bearer TICKET_${'0'.repeat(40)}`;
  for (const authorization of ['', dead])
    assert.deepEqual(await cost(ofNode('folder'), authorization), { status: 401, units: 1, asked: 0 });
});

test('the repository is not asked for a call with wrong arguments', async (t) => {
  const { cost } = await inFront(t);
  assert.deepEqual(await cost(`${definitionsOf('folder')}?maxItems=1`), { status: 200, units: 2, asked: 1 });
  assert.deepEqual(await cost(`${definitionsOf('folder')}?maxItems=0`), { status: 400, units: 1, asked: 0 });
});

test('a node that the repository lacks needs no second unit', async (t) => {
  const { cost } = await inFront(t);
  assert.deepEqual(await cost(ofNode('none')), { status: 404, units: 1, asked: 1 });
});

test('a node of the own store is found in the one unit of its call', async (t) => {
  const store = new ChangedStore();
  const { get } = await askingAs(await startTestService(t, {}, () => store));
  const before = store.reads;
  assert.equal((await get(ofNode('sites'))).status, 200);
  assert.equal(store.reads - before, 1);
});
