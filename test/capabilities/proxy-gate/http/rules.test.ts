import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { readSettings } from '../../../../src/main/settings.ts';
import { assertSound, exchange } from '../../../core/http/scenario.ts';
import { startTestService } from '../../../service/start.ts';
import { eventually } from '../../../service/until.ts';
import { documentWith } from '../rules/written.ts';
import { bearer } from './asking.ts';
import { startRuled } from './ruled.ts';

test('a rule lets through everybody, every user, members of groups, users, or none', async (t) => {
  const { statuses } = await startRuled(t, [
    { path: '/open', allow: 'public' },
    { path: '/users', allow: 'signed-in' },
    { path: '/editors', allow: { groups: ['GROUP_Editors'] } },
    { path: '/staff', allow: { groups: ['staff'] } },
    { path: '/ben', allow: { groups: ['admins'], users: ['Ben'] } },
    { path: '/closed', allow: 'none' },
  ]);
  const asked = ['/open', '/users', '/editors', '/staff', '/ben', '/closed', '/other'].map(
    (path) => `GET x${path}`,
  );
  const statusesFor = async (caller?: 'mia' | 'ben') => Object.values(await statuses(asked, caller));
  assert.deepEqual(await statusesFor(), [204, 401, 401, 401, 401, 403, 403]);
  assert.deepEqual(await statusesFor('mia'), [204, 204, 204, 204, 403, 403, 403]);
  assert.deepEqual(await statusesFor('ben'), [204, 204, 403, 403, 204, 403, 403]);
});

test('a request that every caller may send names no user, with any ticket', async (t) => {
  const { ask } = await startRuled(t, [{ allow: 'public' }]);
  for (const caller of [undefined, 'mia'] as const) {
    const heard = await ask('GET x/', caller);
    assert.equal(heard.status, 204);
    assertSound(heard);
    assert.deepEqual(
      Object.keys(heard.headers).filter((name) => name.startsWith('x-tessera')),
      [],
    );
  }
});

test('a refusal says which group is missing, in JSON, and the log names the rule', async (t) => {
  const { ask, service } = await startRuled(t, [{ path: '/a', allow: { groups: ['Editors', 'admins'] } }]);
  const heard = await ask('GET x/a', 'ben');
  assert.equal(heard.status, 403);
  assertSound(heard);
  assert.match(
    JSON.parse(heard.text).message,
    /^The gate does not let this request through: it needs one of the groups Editors, admins$/,
  );
  assert.equal(heard.headers['x-tessera-user'], undefined);
  await ask('GET x/b', 'ben');
  await eventually(async () => {
    const reasons = service.lines
      .map((line) => JSON.parse(line))
      .filter(({ outcome }) => outcome === 'gate_denied');
    assert.deepEqual(
      reasons.map(({ reason, user }) => [reason, user]),
      [
        ['rule 1, line 1', 'ben'],
        ['no rule', undefined],
      ],
    );
  });
});

test('no trick with a path leads past a rule', async (t) => {
  const { statuses } = await startRuled(t, [
    { path: '/admin', allow: { groups: ['editors'] } },
    { path: '/', allow: 'public' },
  ]);
  const tricks = [
    '/admin',
    '/admin/',
    '/admin?x=/open',
    '/open/../admin',
    '/open/%2e%2e/admin',
    '/admin/../open',
    '/./admin',
    '//admin',
    '//x/admin',
    '/%61dmin',
    '/%2561dmin',
    '/ADMIN',
    '/admin;x=1',
    '/open/..;/admin',
    '/open%2f..%2fadmin',
    '/open/..%5cadmin',
    '/open\\..\\admin',
    '/admin%20',
    '/admin.',
    '/%EF%BD%81dmin',
  ].map((path) => `GET x${path}`);
  for (const [what, status] of Object.entries(await statuses(tricks, 'ben'))) assert.equal(status, 403, what);
  for (const [what, status] of Object.entries(await statuses(tricks, 'mia'))) assert.equal(status, 204, what);
  for (const [what, status] of Object.entries(await statuses(tricks))) assert.equal(status, 401, what);
  const broken = ['/open%00', '/open%zz', '/%c0%ae/open', '/open#x', 'open', '/a%0aopen'].map(
    (path) => `GET x${path}`,
  );
  for (const [what, status] of Object.entries(await statuses(broken, 'mia'))) assert.equal(status, 403, what);
  const open = ['/', '/open', '/administrator', '/open/%61', '/a/../b', '/open//x', '/a%2Fb'].map(
    (path) => `GET x${path}`,
  );
  for (const [what, status] of Object.entries(await statuses(open))) assert.equal(status, 204, what);
});

test('host and method decide as the proxy tells them', async (t) => {
  const { statuses } = await startRuled(t, [
    { host: 'wiki.example.org', methods: ['GET'], allow: 'public' },
    { host: '*.example.org', allow: { groups: ['editors'] } },
  ]);
  const table = {
    'GET wiki.example.org/': 204,
    'HEAD WIKI.example.org.:8443/': 204,
    'POST wiki.example.org/': 401,
    'GET other.example.org/': 401,
    'GET example.org/': 403,
    'get wiki.example.org/': 403,
  };
  assert.deepEqual(await statuses(Object.keys(table)), table);
});

test('only a trusted proxy is believed, and only the headers that it sets', async (t) => {
  const { ask } = await startRuled(t, [
    { path: '/open', allow: 'public' },
    { allow: { groups: ['editors'] } },
  ]);
  const denied = async (headers: Record<string, string>) => {
    const heard = await ask('GET x/open', 'ben', headers);
    assert.equal(heard.status, 403, JSON.stringify(headers));
    return JSON.parse(heard.text).message as string;
  };
  assert.match(await denied({ 'X-Forwarded-Method': '' }), /the header X-Forwarded-Method is missing/);
  assert.match(await denied({ 'X-Forwarded-Uri': '' }), /the header x-forwarded-uri is missing: [^,]*$/);
  assert.match(
    await denied({ 'X-Forwarded-Uri': '', 'X-Original-URL': 'https://x/open' }),
    /x-forwarded-uri is missing: .*, or set TESSERA_GATE_URI_HEADER=x-original-url$/,
  );
  assert.match(await denied({ 'X-Forwarded-Host': 'x, y' }), /no host, or several/);
  await denied({
    'X-Forwarded-Uri': '/closed',
    'X-Original-URL': 'https://x/open',
    'X-Original-Method': 'GET',
  });
  assert.equal((await ask('GET x/open', 'ben', { 'X-Original-URL': 'https://x/closed' })).status, 204);
  const untrusted = await startRuled(t, [{ allow: 'public' }], { TESSERA_TRUSTED_PROXIES: '10.0.0.1' });
  const heard = await untrusted.ask('GET x/open', 'mia');
  assert.equal(heard.status, 403);
  assert.match(JSON.parse(heard.text).message, /name the proxy in TESSERA_TRUSTED_PROXIES/);
});

test('nginx tells the request in headers of its own', async (t) => {
  const rules = [{ host: 'wiki.example.org', path: '/open', allow: 'public' as const }];
  for (const [header, value] of [
    ['X-Original-URL', 'https://wiki.example.org/open?x'],
    ['X-Original-URI', '/open?x'],
  ] as const) {
    const { service } = await startRuled(t, rules, { TESSERA_GATE_URI_HEADER: header });
    const told = { [header]: value, 'X-Original-Method': 'GET', Host: 'wiki.example.org' };
    const status = async (headers: Record<string, string>) =>
      (await exchange(service.url, 'GET /gate', { headers: { ...told, ...headers } })).status;
    assert.equal(await status({}), 204);
    assert.equal(await status({ 'X-Forwarded-Uri': '/closed', 'X-Forwarded-Host': 'other' }), 204);
    assert.equal(
      await status({ [header]: value.replace('open', 'closed'), 'X-Forwarded-Uri': '/open' }),
      403,
    );
    assert.equal(await status({ 'X-Original-Method': '', 'X-Forwarded-Method': 'GET' }), 403);
  }
});

test('a member who leaves a group, and a ticket that ends, count for the next request', async (t) => {
  const { ask, service } = await startRuled(t, [{ allow: { groups: ['staff'] } }]);
  assert.equal((await ask('GET x/', 'mia')).status, 204);
  await service.store.write(async ({ users, groups }) => {
    const [editors, mia] = [await groups.findByKey('editors'), await users.findByKey('mia')];
    await groups.removeUser(editors?.id ?? 0, mia?.id ?? 0);
  });
  assert.equal((await ask('GET x/', 'mia')).status, 403);
  await service.store.write((unit) => unit.tickets.raiseServerGeneration());
  assert.equal((await ask('GET x/', 'mia')).status, 401);
});

test('what rules decide for all callers needs no store; all else is 503 without one', async (t) => {
  const { statuses, service } = await startRuled(t, [
    { path: '/open', allow: 'public' },
    { path: '/users', allow: 'signed-in' },
  ]);
  await service.store.close();
  const table = { 'GET x/open': 204, 'GET x/users': 503, 'GET x/closed': 403 };
  assert.deepEqual(await statuses(Object.keys(table), 'mia'), table);
});

test('changed rules hold from the next request on; faulty ones change nothing and are told with their line', async (t) => {
  const { ask, write, file, service } = await startRuled(t, [{ path: '/a', allow: 'public' }]);
  const status = async () => (await ask('GET x/a')).status;
  assert.equal(await status(), 204);
  write({ path: '/b', allow: 'public' });
  service.reload();
  assert.equal(await status(), 403);
  for (const faulty of ['{"rules": [', '{"rules": [\n{"allow": "all"}]}', '']) {
    writeFileSync(file, faulty);
    service.reload();
    assert.equal(await status(), 403);
    const [fault = ''] = service.lines.filter((line) => line.includes('rules of the gate faulty')).slice(-1);
    assert.ok(fault.includes(`${file}:`), fault);
  }
  write({ path: '/a', allow: 'public' });
  await eventually(async () => assert.equal(await status(), 204));
});

test('a service with faulty rules does not start', async (t) => {
  const proxy = { TESSERA_TRUSTED_PROXIES: '127.0.0.1', TESSERA_GATE_URI_HEADER: 'X-Forwarded-Uri' };
  const file = documentWith(t, '{"rules": [{"allow": "all"}]}');
  await assert.rejects(startTestService(t, { ...proxy, TESSERA_GATE_RULES: file }), {
    name: 'DocumentsFaulty',
  });
  await assert.rejects(
    startTestService(t, { ...proxy, TESSERA_GATE_RULES: `${file}.none` }),
    /cannot be read/,
  );
});

test('rules need a trusted proxy, and a header with which it tells method and host too', () => {
  const read = (env: Record<string, string>) => () =>
    readSettings({ flags: {}, env: { TESSERA_GATE_RULES: 'rules.json', ...env } });
  assert.throws(read({}), /TESSERA_GATE_URI_HEADER: the rules .*X-Forwarded-Uri for Traefik and Caddy/);
  assert.throws(
    read({ TESSERA_GATE_URI_HEADER: 'X-Other', TESSERA_TRUSTED_PROXIES: '127.0.0.1' }),
    /X-Original-URL for nginx/,
  );
  assert.throws(read({ TESSERA_GATE_URI_HEADER: 'X-Original-URL' }), /TESSERA_TRUSTED_PROXIES/);
});

test('without rules every user is let through, with any headers of the proxy', async (t) => {
  const { service, tickets } = await startRuled(t, [], {
    TESSERA_GATE_RULES: '',
    TESSERA_GATE_URI_HEADER: '',
  });
  const { status } = await exchange(service.url, 'GET /gate', { headers: bearer(tickets.ben) });
  assert.equal(status, 204);
});
