import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadRules } from '../../../../src/capabilities/proxy-gate/rules/load.ts';
import { DocumentsFaulty } from '../../../../src/core/documents/read-document.ts';
import { documentWith } from './written.ts';

const allow = 'signed-in';
const rule = (members: object) => ({ allow, ...members });

test('a rule knows its number and its line', (t) => {
  const file = documentWith(t, '{"rules": [\n{"allow": "public", "path": "/a"},\n\n{"allow": "none"}]}');
  assert.deepEqual(
    loadRules(file, false).rules.map(({ number, line }) => [number, line]),
    [
      [1, 2],
      [2, 4],
    ],
  );
});

test('every fault is told with its line and with what to write', (t) => {
  const faulty: readonly (readonly [rule: object, fault: RegExp])[] = [
    [{ path: '/a' }, /allow/],
    [{ allow: 'nothing' }, /allow/],
    [{ allow: {} }, /allow/],
    [{ allow: { groups: [] } }, /groups/],
    [{ allow: { roles: ['admin'] } }, /roles: is no member of this object/],
    [{ allow: { groups: ['GROUP_everyone'] } }, /groups\/0: contains every user: write "allow": "signed-in"/],
    [rule({ hosts: 'x' }), /hosts: is no member of this object/],
    [rule({ methods: [] }), /methods/],
    [rule({ methods: ['get'] }), /methods\/0: is no method: write it in capitals, such as GET/],
    [rule({ title: 'Wiki', host: '*.x.org' }), /title: is of the service at one host/],
    [rule({ logo: '/wiki.svg' }), /logo: is of the service at one host/],
    ...['https://x.org/wiki.svg', '//x.org/wiki.svg', '/\\x.org', 'wiki.svg'].map(
      (logo) => [rule({ host: 'x.org', logo }), /logo: /] as const,
    ),
    [rule({ fresh: '15' }), /fresh: is no length of time: write one such as 15m/],
    [rule({ fresh: 'PT30S' }), /fresh: is below a minute/],
    [rule({ factor: 'otp' }), /factor/],
    [{ allow: 'public', factor: 'passkey' }, /factor: has no effect with "allow": "public"/],
    [{ allow: 'none', fresh: '15m' }, /fresh: has no effect with "allow": "none"/],
    [rule({ networks: ['10'] }), /networks\/0: is no range of addresses: write one such as 10\.0\.0\.0\/8/],
    [rule({ networks: ['10.0.0.0/33'] }), /networks\/0: is no range/],
    [rule({ host: 'x.org:8443' }), /host: has a port: leave it out/],
    [rule({ host: 'X.org' }), /host: has a capital letter: write hosts in lower case/],
    [rule({ host: 'müller.org' }), /host: has a letter beyond ASCII: write its xn-- form/],
    [rule({ host: 'a.*.org' }), /host: is no host: write one such as/],
    [rule({ host: '*' }), /host: is no host: write one such as/],
    [rule({ host: 'https://x.org' }), /host: is no host/],
    [rule({ path: 'a' }), /path: does not begin with a slash/],
    [rule({ path: '/a%20b' }), /path: has a percent sign: write the path decoded/],
    [rule({ path: '/a?b' }), /path: has the sign \?, which/],
    [rule({ path: '/a;b' }), /path: has the sign ;, which/],
    [rule({ path: '/a\\b' }), /path: has the sign \\, which/],
    [rule({ path: '/a//b' }), /path: has two slashes in a row/],
    [rule({ path: '/a/../b' }), /path: has a segment that ends with a dot/],
    [rule({ path: '/a\u0001' }), /path: has a control character/],
    [rule({ path: '/a/*' }), /path: has a \*: give it as "pattern" in place of "path"/],
    [rule({ pattern: '/a/*.css' }), /pattern: has the segment "\*\.css": a \* stands for one whole segment/],
    [rule({ pattern: '/a/***' }), /pattern: has the segment "\*\*\*"/],
    [rule({ path: '/a', pattern: '/a' }), /rules\/0: has a path and a pattern: give one of them/],
  ];
  for (const [written, fault] of faulty) {
    const file = documentWith(t, `{"rules": [\n${JSON.stringify(written)}]}`);
    assert.throws(
      () => loadRules(file, false),
      (error: Error) => {
        assert.ok(error instanceof DocumentsFaulty);
        assert.match(error.message, fault);
        assert.ok(error.message.startsWith(`${file}:2 `), error.message);
        return true;
      },
      JSON.stringify(written),
    );
  }
});

test('all faults of a document are told at once', (t) => {
  const file = documentWith(t, JSON.stringify({ rules: [rule({ host: 'X' }), rule({ path: 'a' })] }));
  assert.throws(() => loadRules(file, false), /capital letter.*\n.*slash/);
});

test('a rule about the same requests as an earlier one is a fault: it would never decide', (t) => {
  const about = (members: object, other: object) =>
    documentWith(t, JSON.stringify({ rules: [rule(members), { ...other, allow: 'none' }] }));
  assert.throws(
    () => loadRules(about({ path: '/a' }, { path: '/a/' }), false),
    /rules\/1: never decides: rule 1 is about the same requests/,
  );
  assert.throws(
    () => loadRules(about({ methods: ['GET', 'PUT'] }, { methods: ['PUT', 'GET'] }), false),
    /never decides/,
  );
  assert.equal(loadRules(about({ path: '/a' }, { pattern: '/a' }), false).rules.length, 2);
});

test('a document that cannot be read is a fault', (t) => {
  const file = documentWith(t, '{"rules": [');
  assert.throws(() => loadRules(file, false), /is not JSON/);
  assert.throws(() => loadRules(`${file}.none`, false), /cannot be read/);
});
