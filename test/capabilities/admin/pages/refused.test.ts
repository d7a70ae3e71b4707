import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formOn, Visitor } from '../../../faces/pages/browse.ts';
import { attributeOf, elementsIn, elementsOf, textOf } from '../../../faces/pages/markup.ts';
import { startTestService } from '../../../service/start.ts';
import { signedInAs } from './staff.ts';

/** The links of the navigation of the console on a page, and the one that is marked. */
function sideOf(text: string): { readonly links: number; readonly marked: string | undefined } {
  const side = elementsOf(text).find((element) => attributeOf(element, 'class') === 'side');
  const links = side ? elementsIn(side).filter(({ tagName }) => tagName === 'a') : [];
  const marked = links.find((link) => attributeOf(link, 'aria-current') !== undefined);
  return { links: links.length, marked: marked && textOf(marked) };
}

for (const [what, path, status, marked] of [
  ['a user who does not exist', '/portal/console/users/nobody', 404, 'Users'],
  ['a page that does not exist', '/portal/console/users/admin/none/at/all', 404, 'Users'],
  ['a section that does not exist', '/portal/console/sektion', 404, undefined],
  ['a page of a list that cannot be read', '/portal/console/events?cursor=x', 400, 'Events'],
] as const) {
  test(`${what} is refused with the navigation of the console`, async (t) => {
    const service = await startTestService(t);
    const visitor = await signedInAs(service, 'administrator');
    const refused = await visitor.get(path);
    const text = await refused.text();
    assert.equal(refused.status, status, text);
    assert.deepEqual(sideOf(text), { links: 11, marked });
    const signOut = formOn(text, '/portal/logout');
    assert.equal(signOut?.formToken, await visitor.formToken(), 'the page can sign out');
  });
}

test('a page above the role of its reader is refused with the sections that the role may open', async (t) => {
  const visitor = await signedInAs(await startTestService(t), 'auditor');
  const refused = await visitor.get('/portal/console/settings');
  assert.equal(refused.status, 403);
  assert.equal(sideOf(await refused.text()).links, 3);
});

test('a reader without a role sees the own name and no console', async (t) => {
  const service = await startTestService(t);
  await service.addUser('ann');
  const visitor = new Visitor(service);
  await visitor.signIn('ann');
  const text = await (await visitor.get('/portal/console/users')).text();
  const who = elementsOf(text).find((element) => attributeOf(element, 'class') === 'who');
  assert.equal(who && textOf(who), 'ann');
  assert.equal(sideOf(text).links, 0);
});

test('a page of the console that does not exist leads to the sign-in first', async (t) => {
  const visitor = new Visitor(await startTestService(t));
  const led = await visitor.get('/portal/console/none');
  assert.equal(led.status, 303);
  assert.equal(led.headers.get('location'), '/portal/login?return=%2Fportal%2Fconsole%2Fnone');
});

test('a refusal is told in German to a reader of German', async (t) => {
  const visitor = await signedInAs(await startTestService(t), 'administrator');
  const refused = await visitor.get('/portal/console/events?cursor=x', { 'accept-language': 'de' });
  assert.match(await refused.text(), /Diese Seite der Liste lässt sich nicht zeigen\./);
});
