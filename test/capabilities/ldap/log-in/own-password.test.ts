import assert from 'node:assert/strict';
import { FROM_OWN_PAGE, Visitor, valueOn } from '../../../faces/pages/browse.ts';
import { readPage } from '../../../faces/pages/read-page.ts';
import { person, testsOnSlapd, USER_PASSWORD } from '../../../service/slapd.ts';
import { startWithDirectory } from './with-directory.ts';

const PAGE = 'https://password.example.org/change';
const NEW = 'an even longer, quieter river';

const test = await testsOnSlapd({ entries: [person('anna')] });

test('a person of the directory who changes the password over HTTP is told where', async (t, slapd) => {
  const service = await startWithDirectory(t, slapd, { TESSERA_LDAP_PASSWORD_PAGE: PAGE });
  const ticket = await service.ticket('anna');
  const change = async (oldpw: string, newpw: string) => {
    const response = await fetch(`${service.url}/api/person/changepassword/anna?alf_ticket=${ticket}`, {
      method: 'POST',
      body: JSON.stringify({ oldpw, newpw }),
    });
    return { status: response.status, text: await response.text() };
  };
  // Whatever the new one is: the rules for passwords here say nothing about it.
  for (const fresh of [NEW, 'x']) {
    const { status, text } = await change(USER_PASSWORD, fresh);
    assert.equal(status, 409, text);
    assert.match(text, new RegExp(`the directory has the password of .*: change it at ${PAGE}`));
  }
  assert.equal((await change('wrong', NEW)).status, 401);
  assert.equal(await service.isLive(ticket), true);
  assert.equal(await service.logIn('anna'), 200);
});

test('the page of the account leads a person of the directory to the page where it is changed', async (t, slapd) => {
  const service = await startWithDirectory(t, slapd, { TESSERA_LDAP_PASSWORD_PAGE: PAGE });
  const visitor = new Visitor(service);
  await visitor.signIn('anna', USER_PASSWORD);
  const shown = await visitor.get('/portal/account/password', { ...FROM_OWN_PAGE, 'Accept-Language': 'de' });
  const text = await shown.text();
  assert.match(text, /Ihr Passwort liegt im Verzeichnis/);
  assert.ok(readPage(text).links.some(({ to }) => to === PAGE));
  assert.equal(valueOn(text, 'newPassword'), undefined);
  const sent = await visitor.send('/portal/account', '/portal/account/password', {
    oldPassword: USER_PASSWORD,
    newPassword: NEW,
  });
  assert.equal(sent.status, 409);
  assert.match(await sent.text(), /The password of this account is not kept here/);
});

test('without the address of a page, the page says it and links to none', async (t, slapd) => {
  const service = await startWithDirectory(t, slapd);
  const visitor = new Visitor(service);
  await visitor.signIn('anna', USER_PASSWORD);
  const text = await (await visitor.get('/portal/account/password')).text();
  assert.match(text, /kept in the directory of your organization/);
  assert.doesNotMatch(text, /Change the password there/);
});
