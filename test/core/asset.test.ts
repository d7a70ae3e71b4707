import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assetOnce } from '../../src/core/asset.ts';

test('an asset is made when it is first needed, and once', () => {
  let times = 0;
  const asset = assetOnce(() => {
    times += 1;
    return 'text';
  });
  assert.equal(times, 0);
  assert.equal(asset(), asset());
  assert.equal(asset().text, 'text');
  assert.equal(times, 1);
});
