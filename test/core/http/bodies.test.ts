import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Bodies } from '../../../src/core/http/reply.ts';
import { type AnyOperation, answer } from '../../../src/core/operation.ts';

const MEGABYTE = 'x'.repeat(1_000_000);
let written = 0;
const operation = {
  id: 'large.get',
  output: {
    js: () => {
      written += 1;
      return MEGABYTE;
    },
  },
} as unknown as AnyOperation;

test('of large bodies the last 32 megabytes are kept', () => {
  const bodies = new Bodies();
  const bodyOf = (n: number) => bodies.of(operation, answer(n, { sameAs: String(n) }), 'js');
  for (let n = 0; n < 100; n += 1) bodyOf(n);
  assert.equal(written, 100);
  for (let n = 99; n > 68; n -= 1) assert.equal(bodyOf(n)?.text.length, MEGABYTE.length);
  assert.equal(written, 100, 'the latest were made once');
  bodyOf(68);
  assert.equal(written, 101, 'one before them is made anew');
});
