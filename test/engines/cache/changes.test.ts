import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Changes } from '../../../src/engines/cache/recently-read.ts';

test('what was read before a change of its key is not valid, and what was read after it is', () => {
  const changes = new Changes();
  const [ada, ben] = [changes.placeOf('ada'), changes.placeOf('ben')];
  const before = changes.now;
  changes.note('ada');
  assert.equal(changes.isUnchanged(ada, before), false);
  assert.equal(changes.isUnchanged(ben, before), true);
  const after = changes.now;
  assert.equal(changes.isUnchanged(ada, after), true);
  changes.note(1);
  assert.equal(changes.isUnchanged(changes.placeOf(1), after), false);
  assert.equal(changes.isUnchanged(ada, after), true);
});

test('a change of everything makes all invalid that was read before it, and nothing that is read later', () => {
  const changes = new Changes();
  const ada = changes.placeOf('ada');
  const before = changes.now;
  changes.noteAll('all');
  assert.equal(changes.isUnchanged(ada, before), false);
  assert.equal(changes.isUnchanged(ada, changes.now), true);
});
