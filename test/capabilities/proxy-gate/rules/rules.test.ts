import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WrittenRule } from '../../../../src/capabilities/proxy-gate/rules/document.ts';
import { type GateRules, ruleAgainst } from '../../../../src/capabilities/proxy-gate/rules/rules.ts';
import { groupKey } from '../../../../src/core/domain/group.ts';
import { userKey } from '../../../../src/core/domain/user.ts';
import { inForce } from './written.ts';

/** The numbers of the rules that decide; 0 for none. `what` is `METHOD host/path`. */
function deciding(rules: GateRules, what: string): readonly number[] {
  const [method = '', url = ''] = what.split(' ');
  const slash = url.indexOf('/');
  const { rules: found } = rules.decide({ method, host: url.slice(0, slash), path: url.slice(slash) });
  return found.map((rule) => rule?.number ?? 0);
}

/** Checks which rules decide over each request. */
function assertDecided(rules: GateRules, table: Readonly<Record<string, readonly number[]>>): void {
  const found = Object.keys(table).map((what) => [what, deciding(rules, what)]);
  assert.deepEqual(Object.fromEntries(found), table);
}

const allow = 'signed-in';

test('the first rule that fits decides, and the rules after it do not', () => {
  const rules = inForce({ path: '/a/b', allow }, { path: '/a', allow: 'none' }, { allow: 'public' });
  assertDecided(rules, {
    'GET x/a/b': [1],
    'GET x/a/b/c': [1],
    'GET x/a': [2],
    'GET x/a/c': [2],
    'GET x/': [3],
  });
});

test('a request that no rule fits is not let through', () => {
  const rules = inForce({ host: 'wiki.example.org', allow: 'public' });
  const decision = rules.decide({ method: 'GET', host: 'other.example.org', path: '/' });
  assert.deepEqual(decision, { access: 'none', rules: [undefined] });
  assert.equal(inForce().decide({ method: 'GET', host: 'x', path: '/' }).access, 'none');
});

test('a host is one host, or every host below a domain and not the domain itself', () => {
  const rules = inForce({ host: 'wiki.example.org', allow }, { host: '*.example.org', allow });
  assertDecided(rules, {
    'GET wiki.example.org/': [1],
    'GET other.example.org/': [2],
    'GET a.wiki.example.org/': [2],
    'GET example.org/': [0],
    'GET wikiexample.org/': [0],
    'GET wiki.example.org.evil/': [0],
  });
});

test('the order of the document counts across hosts', () => {
  const rules = inForce(
    { path: '/a', allow },
    { host: '*.org', allow },
    { host: 'x.org', path: '/a', allow },
  );
  assertDecided(rules, { 'GET x.org/a': [1], 'GET x.org/b': [2], 'GET x.com/b': [0] });
});

test('a path is about itself and all below it, and ends where a segment ends', () => {
  assertDecided(inForce({ path: '/admin/', allow }, { path: '/täg lich', allow }), {
    'GET x/admin': [1],
    'GET x/admin/': [1],
    'GET x/admin/x': [1],
    'GET x/administrator': [0],
    'GET x/x/admin': [0],
    'GET x/t%C3%A4g%20lich/x': [2],
  });
});

test('a pattern is about whole paths: * is one segment, ** is any number of them', () => {
  const rules = inForce(
    { pattern: '/', allow },
    { pattern: '/users/*/files/**', allow },
    { pattern: '/**/report', allow },
    { pattern: '/a/**/b/**/c', allow },
  );
  assertDecided(rules, {
    'GET x/': [1],
    'GET x/users/mia/files': [2],
    'GET x/users/mia/files/a/b': [2],
    'GET x/users/files': [0],
    'GET x/users/mia/x/files': [0],
    'GET x/report': [3],
    'GET x/a/b/report/': [3],
    'GET x/report/x': [0],
    'GET x/a/b/c': [4],
    'GET x/a/1/b/2/3/c': [4],
    'GET x/a/1/c': [0],
  });
});

test('a rule about methods is about no others; GET includes HEAD', () => {
  const rules = inForce({ methods: ['GET'], allow }, { path: '/a', methods: ['PUT', 'DELETE'], allow });
  assertDecided(rules, {
    'GET x/a': [1],
    'HEAD x/a': [1],
    'PUT x/a': [2],
    'DELETE x/a': [2],
    'POST x/a': [0],
    'get x/a': [0],
  });
});

const member = (name: string, ...groups: readonly string[]) => ({
  key: userKey(name),
  groupKeys: groups.map(groupKey),
});

test('a rule lets members of one of its groups through, and its users, in any case of the names', () => {
  const rules = inForce({ allow: { groups: ['Editors', 'GROUP_Staff'], users: ['Anna'] } });
  const decision = rules.decide({ method: 'GET', host: 'x', path: '/' });
  assert.equal(decision.access, 'some');
  const isLetThrough = (caller: ReturnType<typeof member>) => ruleAgainst(decision, caller) === undefined;
  assert.equal(isLetThrough(member('mia', 'EDITORS')), true);
  assert.equal(isLetThrough(member('mia', 'staff')), true);
  assert.equal(isLetThrough(member('anna')), true);
  assert.equal(isLetThrough(member('mia', 'other', 'anna')), false);
  assert.equal(isLetThrough(member('editors')), false);
});

test('a path that is read in several ways passes only where every reading passes', () => {
  const group = (name: string): WrittenRule['allow'] => ({ groups: [name] });
  const rules = inForce(
    { path: '/Admin', allow: group('admins') },
    { path: '/closed', allow: 'none' },
    { path: '/open', allow: 'public' },
    { path: '/', allow: group('users') },
  );
  const accessTo = (path: string) => rules.decide({ method: 'GET', host: 'x', path });
  assert.equal(accessTo('/open/%2e%2e/open').access, 'public');
  assert.equal(accessTo('/open/../x').access, 'some');
  assert.equal(accessTo('/open/../closed').access, 'none');
  const decidingOver = (path: string) => accessTo(path).rules.map((rule) => rule?.number);
  for (const path of ['/ADMIN', '/admin', '/admin/x']) assert.deepEqual(decidingOver(path), [1, 4], path);
  assert.deepEqual(decidingOver('/Admin'), [1]);
  const decision = accessTo('/ADMIN');
  assert.equal(ruleAgainst(decision, member('mia', 'users'))?.number, 1);
  assert.equal(ruleAgainst(decision, member('mia', 'admins'))?.number, 4);
  assert.equal(ruleAgainst(decision, member('mia', 'admins', 'users')), undefined);
});

test('among a thousand rules the same ones decide as in a search from the first to the last', () => {
  const hosts = ['a.x', '*.x', 'b.a.x', '*.y', undefined];
  const written = Array.from({ length: 1_000 }, (_, at): WrittenRule => {
    const host = hosts[at % hosts.length];
    const path = `/${at % 7}/${at % 11}${at % 3 === 0 ? `/${at % 13}` : ''}`;
    const methods = at % 5 === 0 ? ['PUT'] : undefined;
    return { ...(host && { host }), path, ...(methods && { methods }), allow };
  });
  const fits = ({ host, path = '', methods }: WrittenRule, asked: { host: string; path: string }) => {
    const hostFits =
      host === undefined || host === asked.host || (host[0] === '*' && asked.host.endsWith(host.slice(1)));
    return hostFits && `${asked.path}/`.startsWith(`${path}/`) && (methods?.includes('GET') ?? true);
  };
  const rules = inForce(...written);
  for (let at = 0; at < 2_000; at += 1) {
    const host = ['a.x', 'b.a.x', 'c.y', 'z'][at % 4] as string;
    const asked = { host, path: `/${at % 8}/${at % 12}/${at % 14}` };
    const expected = written.findIndex((rule) => fits(rule, asked));
    assert.deepEqual(
      deciding(rules, `GET ${asked.host}${asked.path}`),
      [expected + 1],
      JSON.stringify(asked),
    );
  }
});
