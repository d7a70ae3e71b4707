import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sayIn, type TextKey } from '../../../../src/faces/pages/texts/texts.ts';
import { SETTINGS } from '../../../../src/main/settings.ts';
import { valueOn } from '../../../faces/pages/browse.ts';
import {
  attributeOf,
  textOf as contentOf,
  elementsNamed,
  elementsOf,
  onlyElement,
} from '../../../faces/pages/markup.ts';
import { readPage } from '../../../faces/pages/read-page.ts';
import { latestKinds, signedInAs, startConsole, textOf } from './console-service.ts';

const KEYS = '/portal/console/api-keys';
const CLIENTS = '/portal/console/clients';

const copied = (text: string) => readPage(text).copied;

test('an API key is shown once, works, and is refused once it is removed', async (t) => {
  const { service, visitor } = await startConsole(t);
  assert.match(await textOf(visitor, KEYS), /There is no API key yet/);
  const made = await visitor.send('/portal/console/add-api-key', '/portal/console/add-api-key', {
    ...{ name: 'deploy', role: 'operator', lastDay: '2999-01-31' },
  });
  assert.equal(made.status, 200);
  assert.match(made.headers.get('cache-control') as string, /no-store/);
  const key = copied(await made.text()) ?? assert.fail('no key');
  assert.match(key, /^tsk_/);
  const ask = () => fetch(`${service.url}/api/admin/users`, { headers: { Authorization: `Bearer ${key}` } });
  assert.equal((await ask()).status, 200);
  const list = await textOf(visitor, KEYS);
  assert.match(list, /deploy.*Operator.*2999/s);
  assert.ok(!list.includes(key));
  assert.match(await textOf(visitor, `${KEYS}/deploy/remove`), /Remove the API key deploy\?/);
  assert.equal((await ask()).status, 200, 'the question removes nothing');
  const removed = await visitor.send(`${KEYS}/deploy/remove`, `${KEYS}/deploy/remove`);
  assert.equal(removed.headers.get('location'), `${KEYS}?done=removed`);
  assert.match(await textOf(visitor, `${KEYS}?done=removed`), /No program can use it any more/);
  assert.equal((await ask()).status, 401);
  const kinds = await latestKinds(service);
  assert.ok(kinds.includes('api-key-added') && kinds.includes('api-key-removed'), String(kinds));
  assert.equal((await visitor.get(`${KEYS}/deploy/remove`)).status, 404);
});

test('a key that is for SCIM alone is made on its page, which says so, and opens no administration', async (t) => {
  const { service, visitor } = await startConsole(t);
  const made = await visitor.send('/portal/console/add-api-key', '/portal/console/add-api-key', {
    ...{ name: 'entra', role: 'scim' },
  });
  const key = copied(await made.text()) ?? assert.fail('no key');
  const headers = { Authorization: `Bearer ${key}` };
  assert.equal((await fetch(`${service.url}/api/admin/status`, { headers })).status, 403);
  assert.match(await textOf(visitor, KEYS), /entra.*Provisioning by SCIM/s);
});

test('a faulty API key is refused with the form, and keeps what was entered', async (t) => {
  const { visitor } = await startConsole(t);
  const add = (fields: Record<string, string>) =>
    visitor.send('/portal/console/add-api-key', '/portal/console/add-api-key', fields);
  for (const fields of [{ role: 'auditor' }, { name: 'a b', role: 'auditor' }, { name: 'x', role: '' }]) {
    const refused = await add(fields as Record<string, string>);
    assert.equal(refused.status, 422, JSON.stringify(fields));
    onlyElement(await refused.text(), 'div', { role: 'alert' });
  }
  const late = await add({ name: 'late', role: 'auditor', lastDay: '2001-01-01' });
  assert.equal(late.status, 422);
  const again = await late.text();
  assert.deepEqual([valueOn(again, 'name'), valueOn(again, 'lastDay')], ['late', '2001-01-01']);
  await add({ name: 'one', role: 'auditor' });
  assert.match(await (await add({ name: 'one', role: 'auditor' })).text(), /has this name already/);
});

test('a client gets its secret once, by which it may ask about tickets', async (t) => {
  const { service, visitor } = await startConsole(t);
  const made = await visitor.send('/portal/console/add-client', '/portal/console/add-client', {
    name: 'api-gateway',
  });
  const secret = copied(await made.text()) ?? assert.fail('no secret');
  const ask = () =>
    fetch(`${service.url}/oauth2/introspect`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa(`api-gateway:${secret}`)}` },
      body: new URLSearchParams({ token: 'x' }),
    });
  assert.equal((await ask()).status, 200);
  const list = await textOf(visitor, CLIENTS);
  assert.ok(list.includes('api-gateway') && !list.includes(secret));
  await visitor.send(`${CLIENTS}/api-gateway/remove`, `${CLIENTS}/api-gateway/remove`);
  assert.equal((await ask()).status, 401);
  assert.match(await textOf(visitor, CLIENTS), /No program may ask about tickets yet/);
});

test('operators see clients and keys and change neither, auditors see neither', async (t) => {
  const { service } = await startConsole(t);
  await service.addApiKey('auditor');
  const operator = await signedInAs(service, 'operator');
  for (const path of [KEYS, CLIENTS]) {
    const attributes = elementsOf(await textOf(operator, path)).flatMap(({ attrs }) => attrs);
    assert.ok(!attributes.some(({ value }) => /\/remove$|\/add-/.test(value)), path);
  }
  const formToken = await operator.formToken();
  for (const path of ['/portal/console/add-api-key', '/portal/console/add-client']) {
    assert.equal((await operator.get(path)).status, 403, path);
    assert.equal((await operator.post(path, { formToken, name: 'x', role: 'administrator' })).status, 403);
  }
  const auditor = await signedInAs(service, 'auditor');
  for (const path of [KEYS, CLIENTS, '/portal/console/settings'])
    assert.equal((await auditor.get(path)).status, 403, path);
});

test('the settings in force stand in groups with a sentence and a source each, and hide secrets', async (t) => {
  const { visitor } = await startConsole(t);
  const text = await textOf(visitor, '/portal/console/settings');
  const groupOf = (name: string) =>
    elementsNamed(text, 'details').find((each) => elementsNamed(each, 'code', { id: name }).length > 0) ??
    assert.fail(name);
  const address = groupOf('TESSERA_PORT');
  assert.equal(attributeOf(address, 'open'), '');
  assert.match(contentOf(address), /From the environment.*Port to listen on/s);
  assert.match(contentOf(groupOf('TESSERA_ADMIN_PASSWORD')), /\*\*\*/);
  assert.ok(!text.includes('correct-horse-battery'));
  const mail = groupOf('TESSERA_SMTP_URL');
  assert.equal(attributeOf(mail, 'open'), undefined);
  assert.doesNotMatch(contentOf(mail), /From the/);
  const german = await textOf(visitor, '/portal/console/settings', { 'Accept-Language': 'de' });
  assert.match(german, /<h2>Erratene Passwörter.*lang="en"/s);
});

test('each group of settings has a heading in each language', () => {
  for (const { heading } of SETTINGS.groups)
    assert.notEqual(sayIn('fr')(`console.settings.group.${heading}` as TextKey), heading);
});
