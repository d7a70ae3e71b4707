import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoreUnavailable } from '../../../src/core/storage/store.ts';
import { openMemory } from '../../engines/memory/open.ts';
import { startTestService, type TestService } from '../../service/start.ts';
import { exchange } from '../http/scenario.ts';
import { HOME, SHORT } from './places.ts';

const PROBES = `${HOME}/alfresco/versions/1/probes`;
const probe = ({ url }: TestService, name: string, base = PROBES) => exchange(url, `GET ${base}/${name}`);
const messageOf = ({ text }: { text: string }) => JSON.parse(text).entry.message;

/** A service whose store fails when `fails` says so, with the number of looks at it. */
async function watched(t: Parameters<typeof startTestService>[0]) {
  const service = await startTestService(t, {}, openMemory);
  service.stopClock();
  const { store } = service;
  const read = store.read.bind(store);
  const state = { fails: false, looks: 0 };
  store.read = (work) =>
    read((unit) => {
      const { tickets } = unit;
      const serverGeneration = () => {
        state.looks += 1;
        if (state.fails) throw new StoreUnavailable('the disk is gone');
        return tickets.serverGeneration();
      };
      return work({ ...unit, tickets: { ...tickets, serverGeneration } });
    });
  return { service, state };
}

test('the probes answer to the byte of the reference, without a credential and by each name', async (t) => {
  const { service } = await watched(t);
  const answer = await probe(service, '-live-');
  assert.equal(answer.status, 200);
  assert.equal(answer.headers['content-type'], 'application/json;charset=UTF-8');
  assert.equal(answer.text, '{"entry":{"message":"liveProbe: Success - Tested"}}');
  assert.equal(messageOf(await probe(service, '-ready-')), 'readyProbe: Success - Tested');
  for (const name of ['live', 'LIVE', '-live-/'])
    assert.equal(messageOf(await probe(service, name)), 'liveProbe: Success - Tested', name);
  for (const name of ['ready', '-Ready-'])
    assert.equal(messageOf(await probe(service, name)), 'readyProbe: Success - No test', name);
  const short = await probe(service, '-live-', `${SHORT}/alfresco/versions/1/probes`);
  assert.equal(short.text, answer.text);
});

test('the store is looked at once in ten seconds, however many ask', async (t) => {
  const { service, state } = await watched(t);
  const answers = await Promise.all(Array.from({ length: 20 }, () => probe(service, '-ready-')));
  const tested = answers.filter((each) => messageOf(each) === 'readyProbe: Success - Tested');
  assert.deepEqual([tested.length, state.looks], [1, 1]);
  service.shiftClock(9_999);
  assert.equal(messageOf(await probe(service, '-ready-')), 'readyProbe: Success - No test');
  service.shiftClock(1);
  assert.equal(messageOf(await probe(service, '-ready-')), 'readyProbe: Success - Tested');
  assert.equal(state.looks, 2);
});

test('a store that fails is 503 in the error document of v1, until the next look finds it well', async (t) => {
  const { service, state } = await watched(t);
  state.fails = true;
  for (const how of ['Tested', 'No test']) {
    const { status, text } = await probe(service, '-ready-');
    assert.equal(status, 503);
    const { error } = JSON.parse(text);
    assert.equal(error.errorKey, `readyProbe: Failure - ${how}`);
    assert.equal(error.briefSummary, `readyProbe: Failure - ${how}`);
    assert.equal(error.statusCode, 503);
    assert.doesNotMatch(text, /disk/);
  }
  assert.equal((await probe(service, '-live-')).status, 200);
  state.fails = false;
  service.shiftClock(10_000);
  assert.equal(messageOf(await probe(service, '-ready-')), 'readyProbe: Success - Tested');
});

test('another name is 400, and a ticket in its place is masked', async (t) => {
  const { service } = await watched(t);
  const { status, text } = await probe(service, '-dead-');
  assert.equal(status, 400);
  assert.equal(JSON.parse(text).error.errorKey, 'Bad probe name: -dead-');
  const ticket = `TICKET_${'a'.repeat(40)}`;
  const masked = await probe(service, ticket);
  assert.equal(masked.status, 400);
  assert.ok(!masked.text.includes(ticket));
});

test('a service that begins to stop is not ready at once, whatever the last look found', async (t) => {
  const { service } = await watched(t);
  assert.equal((await probe(service, '-ready-')).status, 200);
  service.beNotReady();
  const { status, headers, text } = await probe(service, '-ready-');
  assert.equal(status, 503);
  assert.equal(headers['retry-after'], '10');
  assert.match(text, /"readyProbe: Failure - Tested"/);
  assert.equal((await probe(service, '-live-')).status, 200);
});
