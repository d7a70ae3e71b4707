import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cursorPage, cursorsOf } from '../../../src/core/domain/cursor.ts';
import { isRefusal } from '../../../src/core/domain/refusal.ts';

const USERS = cursorsOf('users', 'string', 'number');

test('a cursor gives back its place, whatever the text in it', () => {
  for (const place of [['zoë', 7] as const, ['', 0] as const, ['a"b\\c\u2028', 2 ** 53 - 1] as const])
    assert.deepEqual(USERS.read(USERS.after(place)), place);
});

test('no cursor and an empty one are the first page', () => {
  assert.equal(USERS.read(undefined), undefined);
  assert.equal(USERS.read(''), undefined);
});

test('a cursor holds only characters that a URL takes as they are', () => {
  assert.match(USERS.after(['?&=+/#ü', 1]), /^[\w-]+$/);
});

test('a cursor of another list is refused, even if its place looks alike', () => {
  const other = cursorsOf('groups', 'string', 'number').after(['ann', 1]);
  assert.deepEqual(USERS.read(other), { refused: 'cursor_invalid' });
});

test('a cursor is refused when any of its characters is another one, or is missing', () => {
  const cursor = USERS.after(['ann', 7]);
  for (let at = 0; at < cursor.length; at += 1) {
    const other = cursor[at] === 'A' ? 'B' : 'A';
    for (const odd of [cursor.slice(0, at) + other + cursor.slice(at + 1), cursor.slice(0, at)])
      if (odd !== '') assert.ok(isRefusal(USERS.read(odd)), odd);
  }
});

test('a cursor is refused that was made for a number that no place has', () => {
  for (const odd of [1.5, 1e300, 2 ** 53])
    assert.ok(isRefusal(USERS.read(USERS.after(['ann', odd]))), `${odd}`);
});

test('a text that is no cursor is refused', () => {
  for (const text of ['x', '-', 'null', 'W10', `${USERS.after(['ann', 7])}=`, ' ', '\u0000', 'é'])
    assert.ok(isRefusal(USERS.read(text)), text);
});

test('a page has a next one only if more rows follow', () => {
  const page = (rows: string[]) => cursorPage(rows, 2, cursorsOf('names', 'string'), (row) => [row] as const);
  assert.deepEqual(page([]), { items: [], next: undefined });
  assert.deepEqual(page(['a', 'b']), { items: ['a', 'b'], next: undefined });
  const { items, next } = page(['a', 'b', 'c']);
  assert.deepEqual(items, ['a', 'b']);
  assert.deepEqual(cursorsOf('names', 'string').read(next), ['b']);
});
