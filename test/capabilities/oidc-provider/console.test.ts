import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApplicationSettings } from '../../../src/capabilities/oidc-provider/application.ts';
import { isSecretOf } from '../../../src/core/identity/client-secret.ts';
import { onlyElement } from '../../faces/pages/markup.ts';
import { readPage } from '../../faces/pages/read-page.ts';
import { startTestService } from '../../service/start.ts';
import { latestKinds, signedInAs, startConsole, textOf } from '../admin/pages/console-service.ts';

const LIST = '/portal/console/applications';
const ADD = '/portal/console/add-application';
const GRAFANA = { name: 'grafana', title: 'Grafana', redirectUris: 'https://grafana.example.org/back\r\n' };

test('an application is added on a page, changed, gets another secret, and is removed', async (t) => {
  const { service, visitor } = await startConsole(t);
  const client = () => service.store.read(({ applications }) => applications.find('grafana'));
  assert.match(await textOf(visitor, LIST), /There is no application yet/);
  const added = await visitor.send(ADD, ADD, GRAFANA);
  assert.equal(added.status, 200);
  assert.match(added.headers.get('cache-control') as string, /no-store/);
  const secret = readPage(await added.text()).copied ?? assert.fail('no secret');
  assert.ok(isSecretOf(await client(), secret));
  const list = await textOf(visitor, LIST);
  assert.match(list, /grafana.*Grafana/s);
  assert.ok(!list.includes(secret));

  const page = `${LIST}/grafana`;
  const fields = { ...GRAFANA, groups: 'staff\n\neditors', trusted: 'true' };
  const changed = await visitor.send(page, `${page}/change`, fields);
  assert.equal(changed.headers.get('location'), `${page}?done=changed`);
  const { redirectUris, groups, trusted } = (await client())?.settings ?? assert.fail('it is gone');
  assert.deepEqual(
    [redirectUris, groups, trusted],
    [['https://grafana.example.org/back'], ['staff', 'editors'], true],
  );

  const renewed = await visitor.send(`${page}/secret`, `${page}/secret`);
  const another = readPage(await renewed.text()).copied ?? assert.fail('no secret');
  assert.deepEqual([isSecretOf(await client(), secret), isSecretOf(await client(), another)], [false, true]);

  assert.match(await textOf(visitor, `${page}/remove`), /Remove the application grafana\?/);
  const removed = await visitor.send(`${page}/remove`, `${page}/remove`);
  assert.equal(removed.headers.get('location'), `${LIST}?done=removed`);
  assert.equal(await client(), undefined);
  assert.equal((await visitor.get(page)).status, 404);
  // The client id of a program may be the address of its document.
  const address = 'https://chat.example.com/oauth/client.json';
  const documented = { name: address, title: 'Chat', redirectUris: '' };
  assert.equal((await visitor.send(ADD, ADD, documented)).headers.get('location'), `${LIST}?done=added`);
  const its = `${LIST}/${encodeURIComponent(address)}`;
  assert.match(await textOf(visitor, LIST), /chat\.example\.com/);
  const renamed = await visitor.send(its, `${its}/change`, { ...documented, title: 'Chats' });
  assert.equal(renamed.headers.get('location'), `${its}?done=changed`);
  const left = await visitor.send(`${its}/remove`, `${its}/remove`);
  assert.equal(left.headers.get('location'), `${LIST}?done=removed`);
  const kinds = (await latestKinds(service)).filter((kind) => kind.startsWith('application-')).slice(3);
  assert.deepEqual(kinds, [
    'application-removed',
    'application-changed',
    'application-changed',
    'application-added',
  ]);
});

test('a faulty application is refused with the form, and what pages do not show stays', async (t) => {
  const { service, visitor } = await startConsole(t);
  for (const fields of [
    { ...GRAFANA, redirectUris: 'http://grafana.example.org/back' },
    { ...GRAFANA, redirectUris: '' },
    { ...GRAFANA, name: 'a b' },
  ]) {
    const refused = await visitor.send(ADD, ADD, fields);
    assert.equal(refused.status, 422, JSON.stringify(fields));
    onlyElement(await refused.text(), 'div', { role: 'alert' });
  }
  await service.store.write(async ({ clients, applications }) => {
    await clients.add({ name: 'grafana', secretDigest: undefined, addedAt: 1 });
    await applications.put('grafana', {
      redirectUris: ['https://grafana.example.org/'],
      public: true,
      claims: { groups: 'roles' },
    });
  });
  assert.equal((await visitor.send(ADD, ADD, GRAFANA)).status, 422, 'its name is taken');
  const page = `${LIST}/grafana`;
  await visitor.send(page, `${page}/change`, { ...GRAFANA, public: 'true' });
  const { settings } = (await service.store.read((unit) => unit.applications.find('grafana'))) ?? {};
  assert.deepEqual([settings?.title, settings?.claims], ['Grafana', { groups: 'roles' }]);
  const operator = await signedInAs(service, 'operator');
  assert.match(await textOf(operator, LIST), /grafana/);
  assert.equal((await operator.get(page)).status, 403);
});

test('of two administrators, the later one sees what the other has changed', async (t) => {
  const { service, visitor } = await startConsole(t);
  await visitor.send(ADD, ADD, GRAFANA);
  const page = `${LIST}/grafana`;
  const { settings } =
    (await service.store.read((unit) => unit.applications.find('grafana'))) ?? assert.fail('none');
  const stale = JSON.stringify({ id: '1' });
  const refused = await visitor.send(page, `${page}/change`, { ...GRAFANA, title: 'Other', was: stale });
  assert.equal(refused.status, 409);
  const { settings: now } = (await service.store.read((unit) => unit.applications.find('grafana'))) ?? {};
  assert.deepEqual(now, settings);
});

test('the form has the settings, keeps what it shows, and names a field that cannot be read', async (t) => {
  const { service, visitor } = await startConsole(t);
  const settings = {
    redirectUris: ['https://grafana.example.org/'],
    postLogoutRedirectUris: ['https://grafana.example.org/out'],
    backchannelLogoutUri: 'https://grafana.example.org/logout',
    flows: ['code', 'client_credentials'],
    groups: ['staff'],
    title: 'Grafana',
    logo: '/logo.svg',
    actsForUser: true,
    trusted: true,
    secondFactor: true,
    pairwise: true,
    claims: { groups: 'roles', email: 'mail' },
    resources: { 'https://api.example.org/?a=b': 'api' },
    accessTokens: 'opaque',
    accessTokenLifetime: 600,
    refreshLifetime: 86_400,
    jwks: { keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'AA' }] },
  } as unknown as ApplicationSettings;
  await service.store.write(async ({ clients, applications }) => {
    await clients.add({ name: 'grafana', secretDigest: undefined, addedAt: 1 });
    await applications.put('grafana', settings);
  });
  const stored = async () =>
    (await service.store.read((unit) => unit.applications.find('grafana')))?.settings ?? assert.fail('none');
  const page = `${LIST}/grafana`;
  const change = (fields: Record<string, string> = {}) => visitor.send(page, `${page}/change`, fields);
  assert.equal((await change()).status, 303);
  assert.deepEqual(await stored(), settings);
  for (const [field, value, label] of [
    ['jwks', 'no JSON', 'Public keys in place of a secret'],
    ['claims', 'groups', 'Other names of claims'],
    ['accessTokenLifetime', 'soon', 'Seconds that an access token is good'],
  ] as const) {
    const refused = await change({ [field]: value });
    assert.equal(refused.status, 422);
    assert.match(await refused.text(), new RegExp(`The field “${label}” cannot be read`));
  }
  assert.equal((await change({ accessTokenLifetime: '5' })).status, 422, 'the schema says at least 10');
  assert.deepEqual(await stored(), settings);
  await change({
    jwks: '',
    claims: '',
    accessTokens: 'jwt',
    accessTokenLifetime: '30',
    client_credentials: '',
  });
  const { jwks, claims, accessTokens, accessTokenLifetime, flows } = await stored();
  assert.deepEqual([jwks, claims, accessTokens, accessTokenLifetime], [undefined, undefined, 'jwt', 30]);
  assert.deepEqual(flows, ['code']);
});

test('examples to paste have the values of the application, and never its secret', async (t) => {
  const service = await startTestService(t, { TESSERA_ISSUER: 'https://id.example.org' });
  const visitor = await signedInAs(service, 'administrator');
  const added = await visitor.send(ADD, ADD, GRAFANA);
  const shownOnce = await added.text();
  const secret = readPage(shownOnce).copied ?? assert.fail('no secret');
  assert.match(
    shownOnce,
    /Client ID.*<code>grafana<.*Issuer.*<code>https:..id.example.org.auth.realms.alfresco</s,
  );
  const page = `${LIST}/grafana`;
  const confidential = await textOf(visitor, page);
  assert.ok(!confidential.includes(secret));
  const issuer = 'https://id.example.org/auth/realms/alfresco';
  for (const line of [
    `<dd><code>${issuer}</code></dd>`,
    `auth_url = ${issuer}/protocol/openid-connect/auth`,
    'client_secret = SECRET_…',
    'identity-service.auth-server-url=https://id.example.org/auth',
    'aims.resource=grafana',
    'https://grafana.example.org/back',
    '--discoveryuri=https://id.example.org/auth/realms/alfresco/.well-known/openid-configuration',
  ])
    assert.ok(confidential.includes(line), line);
  await visitor.send(page, `${page}/change`, { public: 'true' });
  const open = await textOf(visitor, page);
  assert.doesNotMatch(open, /SECRET_/);
  assert.match(open, /identity-service\.public-client=true/);
});
