import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPage } from '../../../faces/pages/read-page.ts';
import { startTestService } from '../../../service/start.ts';
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
  assert.match(checked, /Right.*its keys can be read.*it knows this client/s);
  const { body } = await asked(service, '/providers/check', { method: 'POST' }, 'operator');
  assert.deepEqual([body.wrong, body.parts[0].about, body.parts[0].steps[0].ok], [1, 'The acme', false]);
  await acme.stop();
  const silent = readPage(await (await operator.send(PAGE, `${PAGE}/check`)).text()).text;
  assert.match(silent, /1 step is wrong.*its metadata cannot be read: .*ECONNREFUSED/s);
  const auditor = await signedInAs(service, 'auditor');
  assert.equal((await auditor.get(PAGE)).status, 403);
  const refused = await asked(service, '/providers/check', { method: 'POST' }, 'auditor');
  assert.equal(refused.status, 403);
});

test('without a provider and a directory their pages say how to name one, and no section leads there', async (t) => {
  const administrator = await signedInAs(await startTestService(t), 'administrator');
  const { text } = await openPage(administrator, PAGE);
  assert.match(text, /TESSERA_PROVIDERS/);
  const directory = '/portal/console/directory';
  const whole = await textOf(administrator, directory);
  assert.match(whole, /TESSERA_LDAP_URLS/);
  assert.ok(!whole.includes(`href="${PAGE}"`) && !whole.includes(`href="${directory}"`));
  assert.ok(!whole.includes(`${directory}/check`));
});
