import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, complaintAbout, designs, readDesigns } from '../../model/check.ts';
import { whyNoModel } from '../clients/installed.ts';

/** Traces of each design: `npm run model` takes more. */
const TRACES = 40;

test('in the model of revocations the designs keep the promise, and each wrong design breaks it', {
  skip: whyNoModel() ?? false,
}, async () => {
  const simulate = await readDesigns();
  for (const design of designs())
    assert.equal(complaintAbout(check(simulate, design, { traces: TRACES, seed: undefined })), undefined);
});

test('both engines have a design in the model, and wrong designs beside it', () => {
  for (const engine of ['postgresql', 'redis']) {
    const own = designs().filter(({ name }) => name.startsWith(engine));
    assert.ok(own.some(({ isWrong }) => !isWrong));
    assert.ok(own.filter(({ isWrong }) => isWrong).length >= 5);
  }
});
