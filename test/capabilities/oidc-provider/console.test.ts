import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSecretOf } from '../../../src/core/identity/client-secret.ts';
import { onlyElement } from '../../faces/pages/markup.ts';
import { readPage } from '../../faces/pages/read-page.ts';
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
  const kinds = (await latestKinds(service)).filter((kind) => kind.startsWith('application-'));
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
