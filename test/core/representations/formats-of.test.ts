import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatsOf, type Representation } from '../../../src/core/representations/representation.ts';

const write = () => '';

test('an operation offers the formats that it has a representation of, and no others', () => {
  for (const [representation, formats] of [
    [{ json: write }, ['json']],
    [{ xml: write, json: write }, ['xml', 'json']],
    [{ html: write, csv: write }, ['html', 'csv']],
    [{ htmlText: write }, ['html']],
    [{ json: write, jsonAsHtml: true }, ['json', 'html']],
  ] as const)
    assert.deepEqual(formatsOf(representation as unknown as Representation<never>), formats);
});
