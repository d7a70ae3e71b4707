import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPage } from '../../../faces/pages/read-page.ts';
import { startTestService } from '../../../service/start.ts';
import { onServer } from '../../action-definitions/nodes/command-line.ts';
import { asked } from '../../admin/http/asked.ts';
import { openPage, signedInAs, textOf } from '../../admin/pages/console-service.ts';
import { startWithAcme } from './provider-visit.ts';

const PAGE = '/portal/console/providers';

test('the console shows the identity providers, and says step by step whether sign-ins there can work', async (t) => {
  const { service, acme } = await startWithAcme(t, { scopes: ['profil'] });
  const operator = await signedInAs(service, 'operator');
  const whole = await textOf(operator, PAGE);
  assert.ok(whole.includes(`href="${PAGE}"`));
  const { text } = readPage(whole);
  assert.ok(text.includes('The acme') && text.includes(acme.issuer), text);
  const checked = readPage(await (await operator.send(PAGE, `${PAGE}/check`)).text()).text;
  assert.match(checked, /1 step is wrong.*Wrong.*does not know the scopes profil: add them there/s);
  assert.doesNotMatch(checked, /Step/, 'each sentence says itself what it is about');
  assert.match(checked, /Right.*its keys can be read.*it knows this client/s);
  const { body } = await asked(service, '/providers/check', { method: 'POST' }, 'operator');
  assert.deepEqual(
    [body.wrong, body.parts[0].about, body.parts[0].steps[0].ok],
    [1, `acme (${acme.issuer})`, true],
  );
  await acme.stop();
  const silent = readPage(await (await operator.send(PAGE, `${PAGE}/check`)).text()).text;
  assert.match(silent, /1 step is wrong.*its metadata cannot be read: .*ECONNREFUSED/s);
  const auditor = await signedInAs(service, 'auditor');
  assert.equal((await auditor.get(PAGE)).status, 403);
  const refused = await asked(service, '/providers/check', { method: 'POST' }, 'auditor');
  assert.equal(refused.status, 403);
});

test('providers check has a service elsewhere ask its providers, or one of them', async (t) => {
  const { service, acme } = await startWithAcme(t, { scopes: ['profil'] });
  const tessera = await onServer(t, service, 'operator');
  const all = await tessera('providers check');
  assert.match(all.stdout, new RegExp(`^acme \\(${acme.issuer}\\)\n.*\n  ok     it answers`));
  assert.match(all.stdout, /^ {2}WRONG {2}it does not know the scopes profil: add them there/m);
  assert.deepEqual([all.stderr, all.code], ['1 step is wrong.\n', 1]);
  assert.deepEqual(await tessera('providers check acme'), all);
  const before = acme.asked.length;
  const other = await tessera('providers check other');
  assert.deepEqual(other, {
    stdout: '',
    stderr: 'The document has no provider "other": name one by its id.\n',
    code: 1,
  });
  assert.equal((await (await onServer(t, service, 'auditor'))('providers check')).code, 1);
  assert.equal(acme.asked.length, before, 'neither asked the provider');
  const late = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
  t.mock.method(AbortSignal, 'timeout', () => AbortSignal.abort(late));
  assert.match(
    (await tessera('providers check')).stderr,
    /^http:\S+ gave no answer in time: check the address/,
  );
});

test('without a provider and a directory their pages say how to name one, and no section leads there', async (t) => {
  const service = await startTestService(t);
  const administrator = await signedInAs(service, 'administrator');
  const { text } = await openPage(administrator, PAGE);
  assert.match(text, /TESSERA_PROVIDERS/);
  const directory = '/portal/console/directory';
  const whole = await textOf(administrator, directory);
  assert.match(whole, /TESSERA_LDAP_URLS/);
  assert.ok(!whole.includes(`href="${PAGE}"`) && !whole.includes(`href="${directory}"`));
  assert.ok(!whole.includes(`${directory}/check`));
  const tessera = await onServer(t, service, 'administrator');
  assert.match((await tessera('providers check')).stderr, /^There are no providers: .* TESSERA_PROVIDERS/);
  assert.match((await tessera('ldap check')).stderr, /^No directory is set: .* TESSERA_LDAP_URLS/);
});
