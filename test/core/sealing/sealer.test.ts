import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyIdOf, openText, Sealer, sealedText, sealingKey } from '../../../src/core/sealing/sealer.ts';

const [ONE, OTHER] = [sealingKey(Buffer.alloc(32, 1)), sealingKey(Buffer.alloc(32, 2))];
const sealer = new Sealer(() => [ONE]);

test('a sealed value opens again, and shows nothing of itself', () => {
  for (const value of ['', 'a secret of 20 bytes', 'x'.repeat(10_000)]) {
    const sealed = sealer.seal('test', value);
    assert.equal(sealer.open('test', sealed)?.toString(), value);
    assert.ok(value === '' || !sealed.includes(value));
  }
});

test('a value that is sealed twice looks different each time', () => {
  assert.notDeepEqual(sealer.seal('test', 'value'), sealer.seal('test', 'value'));
});

test('a value opens for its own purpose alone', () => {
  assert.equal(sealer.open('another', sealer.seal('test', 'value')), undefined);
});

test('a value with any bit changed, or cut anywhere, does not open', () => {
  const sealed = sealer.seal('test', 'value');
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    assert.equal(sealer.open('test', changed), undefined, `byte ${at}`);
    assert.equal(sealer.open('test', sealed.subarray(0, at)), undefined, `cut at ${at}`);
  }
});

test('the first key seals, every key opens, and a key that is gone opens nothing', () => {
  const before = sealer.seal('test', 'value');
  const rotated = new Sealer(() => [OTHER, ONE]);
  assert.equal(rotated.open('test', before)?.toString(), 'value');
  const after = rotated.seal('test', 'value');
  assert.deepEqual([keyIdOf(before), keyIdOf(after)], [ONE.id, OTHER.id]);
  assert.equal(sealer.open('test', after), undefined);
  assert.equal(new Sealer(() => [OTHER]).open('test', before), undefined);
});

test('keys that change while the service runs count at once', () => {
  let keys = [ONE];
  const changing = new Sealer(() => keys);
  const sealed = changing.seal('test', 'value');
  keys = [OTHER];
  assert.equal(changing.open('test', sealed), undefined);
  assert.throws(() => new Sealer(() => []).seal('test', 'value'), /no key to seal with/);
});

test('a sealed text opens until its end, and is a value of a cookie', () => {
  const text = sealedText(sealer, 'test', { name: 'anna' }, 1_000);
  assert.match(text, /^[\w-]+$/);
  assert.deepEqual(openText(sealer, 'test', text, 999), { name: 'anna' });
  assert.equal(openText(sealer, 'test', text, 1_000), undefined);
  assert.equal(openText(sealer, 'another', text, 999), undefined);
  for (const odd of ['', 'x', `${text.slice(0, -3)}AAA`, '%', text.slice(1)])
    assert.equal(openText(sealer, 'test', odd, 999), undefined);
});
