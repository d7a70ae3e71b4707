import assert from 'node:assert/strict';
import { test } from 'node:test';
import { folded, readingsOf } from '../../../../src/capabilities/proxy-gate/rules/readings.ts';

/** The readings of a path, or why it has none. Segments are joined by `|`, since one may hold a slash. */
function read(path: string): readonly string[] | string {
  const readings = readingsOf(path);
  return 'unclear' in readings ? readings.unclear : readings.map((segments) => segments.join('|'));
}

test('almost every path is read in one way, with its escapes decoded once', () => {
  const table = {
    '/': [''],
    '/a': ['a'],
    '/a/': ['a'],
    '/a/b.html': ['a|b.html'],
    '/.well-known/x': ['.well-known|x'],
    "/a-b_c~d/$&'()*+,=@:!": ["a-b_c~d|$&'()*+,=@:!"],
    '/%61dmin': ['admin'],
    '/t%C3%A4glich/a%20b': ['täglich|a b'],
    '/100%25': ['100%'],
  };
  for (const [path, readings] of Object.entries(table)) assert.deepEqual(read(path), readings, path);
});

test('what some services read in another way is read in each of them', () => {
  const table = {
    // Dots: a service that resolves them, and one that compares the path as it is written.
    '/admin/../x': ['admin|..|x', 'x'],
    '/x/./admin': ['x|.|admin', 'x|admin'],
    '/x/%2e%2E/admin': ['x|..|admin', 'admin'],
    '/../admin': ['..|admin', 'admin'],
    // Slashes in a row: kept, merged, or the beginning of a host.
    '//admin': ['|admin', '', 'admin'],
    '/x//admin': ['x||admin', 'x|admin'],
    // An escaped slash, and a backslash.
    '/x%2fadmin': ['x/admin', 'x|admin'],
    '/x%5cadmin': ['x\\admin', 'x|admin'],
    '/x\\admin': ['x\\admin', 'x|admin'],
    // Parameters of a segment, as Java servers cut them off.
    '/admin;x=1/y': ['admin;x=1|y', 'admin|y'],
    '/x/..;/admin': ['x|..;|admin', 'x|..|admin', 'admin'],
    // Decoded twice.
    '/%2561dmin': ['%61dmin', 'admin'],
    // A decoded question mark ends the path for a service that decodes first.
    '/admin%3f/x': ['admin?|x', 'admin'],
    // File systems of Windows.
    '/admin.': ['admin.', 'admin'],
    '/admin%20': ['admin ', 'admin'],
    // Blanks of other kinds, which services trim as well: one that does not break a line, and an ideographic one.
    '/admin%C2%A0': ['admin\u00a0', 'admin'],
    '/admin%E3%80%80/x': ['admin\u3000|x', 'admin|x'],
    '/admin.%C2%A0': ['admin.\u00a0', 'admin'],
    // Full-width characters.
    '/x%EF%BC%8Fadmin': ['x／admin', 'x/admin', 'x|admin'],
  };
  for (const [path, readings] of Object.entries(table))
    assert.deepEqual([...read(path)].toSorted(), readings.toSorted(), path);
});

test('oddities are found in what other oddities leave', () => {
  const table = {
    '/x%2f..%2fadmin': 'admin',
    '/x/%252e%252e/admin': 'admin',
    '/x\\..\\admin': 'admin',
    '/%5c%5chost/admin': 'admin',
    '/x/..%3b/admin': 'admin',
    '/x/..%20/admin': 'admin',
  };
  for (const [path, reading] of Object.entries(table)) assert.ok(read(path).includes(reading), path);
});

test('a path that no service should be sent is not read, and it is said why', () => {
  const table = {
    '': 'its path does not begin with a slash',
    '*': 'its path does not begin with a slash',
    admin: 'its path does not begin with a slash',
    'http://host/admin': 'its path does not begin with a slash',
    '/a b': 'its path holds a character that has to be escaped',
    '/\u00e4': 'its path holds a character that has to be escaped',
    '/a\u0000': 'its path holds a character that has to be escaped',
    '/a#b': 'its path holds a fragment',
    '/a%': 'its path holds an escape that is broken or not UTF-8',
    '/a%zz': 'its path holds an escape that is broken or not UTF-8',
    '/%c0%ae%c0%ae/a': 'its path holds an escape that is broken or not UTF-8',
    '/%ff': 'its path holds an escape that is broken or not UTF-8',
    '/a%00': 'its path holds a control character',
    '/a%0d%0a': 'its path holds a control character',
    '/a%2500': 'its path holds a control character',
    '/a%C2%85': 'its path holds a control character',
    '//a;/..%2f%5c': 'services read its path in too many ways',
    [`/${'a/'.repeat(1_100)}..`]: 'services read its path in too many ways',
  };
  for (const [path, why] of Object.entries(table)) assert.equal(read(path), why, path);
});

test('a long path costs no more than its length', () => {
  const long = `/${'a'.repeat(1_000_000)}`;
  assert.deepEqual(read(long), [long.slice(1)]);
  assert.equal(read(`${long};`), 'services read its path in too many ways');
  assert.match(String(read(`${'/a'.repeat(500_000)}%`)), /escape/);
});

test('a name is compared without case, compatible characters, and the dot of a capital i', () => {
  const table = {
    ADMIN: 'admin',
    '\u0130': 'i',
    'ADM\u0130N': 'admin',
    'ADMI\u0307N': 'admin',
    'adm\u0131n': 'admin',
    '\uff21dmin': 'admin',
    '\u212aelvin': 'kelvin',
  };
  for (const [name, fold] of Object.entries(table)) {
    assert.equal(folded(name), fold, name);
    assert.equal(folded(folded(name)), fold, name);
  }
});
