import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../service/start.ts';
import { FROM_OWN_PAGE, Visitor } from './browse.ts';
import { attributeOf, elementsNamed, onlyElement, textOf } from './markup.ts';

const LOOK = '/portal/look';

/** The choices at the foot of a page that hold. */
const chosenOn = (page: string) =>
  elementsNamed(onlyElement(page, 'footer'), 'button', { 'aria-pressed': 'true' }).map(textOf);

test('a reader chooses language and theme at the foot of a page, without scripts, and returns to the page', async (t) => {
  const service = await startTestService(t);
  const visitor = new Visitor(service);
  const page = '/portal/login?return=%2Fportal%2Faccount&user=anna';
  const open = async () => (await visitor.get(page, { 'Accept-Language': 'en' })).text();
  const choose = async (fields: Record<string, string>) => {
    const form = onlyElement(await open(), 'form', { action: LOOK });
    assert.equal(attributeOf(form, 'method'), 'post');
    const response = await visitor.post(LOOK, fields, { ...FROM_OWN_PAGE, Referer: service.url + page });
    assert.deepEqual([response.status, response.headers.get('location')], [303, page]);
    return response.headers.getSetCookie();
  };
  assert.deepEqual(chosenOn(await open()), ['English', 'As on this device']);
  assert.deepEqual(await choose({ language: 'de' }), [
    'tessera-language=de; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax',
  ]);
  await choose({ theme: 'dark' });
  const german = await open();
  onlyElement(german, 'html', { lang: 'de', 'data-theme': 'dark' });
  assert.deepEqual(chosenOn(german), ['Deutsch', 'Dunkel']);
  await choose({ theme: 'device' });
  assert.ok(!visitor.cookies.has('tessera-theme'));
  assert.deepEqual(chosenOn(await open()), ['Deutsch', 'Wie auf diesem Gerät']);
});

test('pages are there in each language, for a browser that prefers it', async (t) => {
  const service = await startTestService(t);
  await service.addUser('anna', { administrator: true });
  const visitor = new Visitor(service);
  await visitor.signIn('anna');
  for (const [language, account] of [
    ['de-AT', 'Mein Konto'],
    ['es-MX', 'Mi cuenta'],
    ['fr-CA', 'Mon compte'],
  ] as const)
    for (const path of [
      '/portal/account',
      '/portal/console',
      '/portal/console/events',
      '/portal/console/users',
    ]) {
      const page = await (await visitor.get(path, { 'Accept-Language': `${language}, en;q=0.5` })).text();
      onlyElement(page, 'html', { lang: language.slice(0, 2) });
      assert.match(page, new RegExp(account), path);
    }
});

test('what a reader chose holds before what a link or the browser names, on refused pages too', async (t) => {
  const service = await startTestService(t);
  const visitor = new Visitor(service);
  await visitor.post(LOOK, { language: 'de' });
  const linked = await visitor.get('/portal/login?languages=en', { 'Accept-Language': 'en' });
  onlyElement(await linked.text(), 'html', { lang: 'de' });
  const refused = await visitor.post('/portal/login', { username: 'nobody', password: 'wrong' });
  onlyElement(await refused.text(), 'html', { lang: 'de' });
  const missing = await visitor.get('/portal/nothing-here');
  onlyElement(await missing.text(), 'html', { lang: 'de' });
});

test('a choice leads to no other host, comes from own pages only, and no cookie makes a page of another look', async (t) => {
  const service = await startTestService(t);
  const visitor = new Visitor(service);
  for (const Referer of ['https://evil.example/', 'nonsense', '']) {
    const response = await visitor.post(LOOK, { theme: 'dark' }, { ...FROM_OWN_PAGE, Referer });
    assert.equal(response.headers.get('location'), '/portal');
  }
  const foreign = await visitor.post(LOOK, { theme: 'light' }, { 'Sec-Fetch-Site': 'cross-site' });
  assert.deepEqual([foreign.status, foreign.headers.getSetCookie()], [403, []]);
  const odd = await visitor.post(LOOK, { theme: 'x; Path', language: 'EN' });
  assert.deepEqual(odd.headers.getSetCookie(), []);
  visitor.cookies.set('tessera-language', 'xx').set('tessera-theme', 'no');
  onlyElement(await (await visitor.get('/portal/login')).text(), 'html', { lang: 'en' });
});
