import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleOf, pagesShown } from './page-examples.ts';

test('each page has an example at which a browser looks', () => {
  assert.ok(pagesShown().length > 1);
  for (const page of pagesShown())
    assert.ok(exampleOf(page), `${page.id} (${page.paths[0]}) needs an address in page-examples.ts`);
});
