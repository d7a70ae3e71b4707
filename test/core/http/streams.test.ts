import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import streamGet from '../../../src/capabilities/admin/operations/admin/events/stream.get.ts';
import type { Reply } from '../../../src/core/http/reply.ts';
import { Streams } from '../../../src/core/http/streams.ts';

/** A second of a stream's life has two parts. */
const PARTS_A_SECOND = 2;
const EVENTS = Array.from({ length: 500 }, (_, id) => ({ id, at: 0, kind: 'lock', user: 'ann', count: 1 }));

/** A stream whose store always has a full part more, and what a client at its other end does. */
function opened(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const taken: (() => void)[] = [];
  const client = new Writable({ highWaterMark: 16_384, write: (_, __, done) => void taken.push(done) });
  const reply = { stream: () => client, request: { id: 'r' } } as unknown as Reply;
  let asked = 0;
  const ask = async () => {
    asked += 1;
    return { result: { value: EVENTS, goesOnAt: String(asked) } };
  };
  const streams = new Streams((fault) => assert.fail(String(fault)));
  streams.open(reply, streamGet, { value: [], goesOnAt: '0' }, { caller: 'ann', ask });
  const pass = async (seconds: number) => {
    for (let part = 0; part < seconds * PARTS_A_SECOND; part += 1) {
      t.mock.timers.tick(1_000 / PARTS_A_SECOND);
      await turn();
    }
  };
  const read = async () => {
    for (let done = taken.shift(); done !== undefined; done = taken.shift()) {
      done();
      await turn();
    }
  };
  return { client, pass, read, asked: () => asked };
}

test('a client that stops reading holds one part of a stream, and is cut off after ten seconds', async (t) => {
  const { client, pass, asked } = opened(t);
  await pass(10);
  assert.equal(asked(), 1);
  assert.equal(client.destroyed, false);
  await pass(3);
  assert.equal(client.destroyed, true);
  await pass(60);
  assert.equal(asked(), 1);
});

test('a client that reads slowly keeps its stream', async (t) => {
  const { client, pass, read, asked } = opened(t);
  for (let round = 1; round <= 5; round += 1) {
    await pass(8);
    assert.equal(asked(), round);
    await read();
  }
  assert.equal(client.destroyed, false);
  client.destroy();
});
