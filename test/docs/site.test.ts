import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { writeSite } from '../../docs/site/site.ts';
import { DocumentSite } from '../../src/faces/description/document-site.ts';
import { checkForEverybody, checkForm } from '../faces/pages/check-page.ts';
import { attributeOf, elementsOf } from '../faces/pages/markup.ts';
import { openBrowser, whyNoBrowser } from '../service/browser.ts';
import { startTestService, temporaryFolder } from '../service/start.ts';

/** Where a service looks for the site. Git ignores it, and no other test needs it. */
const SITE = fileURLToPath(new URL('../../docs/html/', import.meta.url));
const places = writeSite(SITE);
const pages = places.filter((place) => place.endsWith('.html'));
const elements = new Map(pages.map((place) => [place, elementsOf(readFileSync(join(SITE, place), 'utf8'))]));
const idsOn = (place: string) => elements.get(place)?.map((each) => attributeOf(each, 'id')) ?? [];

test('every link of the site leads to a file and an anchor that are there, and nothing is loaded from elsewhere', () => {
  assert.ok(pages.length > 180);
  for (const [place, all] of elements)
    for (const each of all)
      for (const name of ['href', 'src', 'action']) {
        const link = attributeOf(each, name);
        if (link === undefined) continue;
        if (each.tagName === 'a' && /^https?:/.test(link)) continue;
        const [path = '', anchor] = link.split('#');
        const target =
          path === '' ? place : posix.join('/docs', posix.dirname(place), path).slice('/docs/'.length);
        const absolute = path.startsWith('/docs/') ? path.slice('/docs/'.length) : target;
        assert.ok(places.includes(absolute), `${place}: ${link}`);
        assert.ok(anchor === undefined || idsOn(absolute).includes(anchor), `${place}: ${link}`);
      }
});

test('an id stands once on a page, and each page has one heading of the first level', () => {
  for (const [place, all] of elements) {
    const ids = idsOn(place).filter((id) => id !== undefined);
    assert.deepEqual([...new Set(ids)], ids, place);
    assert.equal(all.filter(({ tagName }) => tagName === 'h1').length, 1, place);
  }
});

test('two builds of the site are equal to the byte', async (t) => {
  const again = await temporaryFolder(t);
  assert.deepEqual(writeSite(again), places);
  for (const place of places)
    assert.deepEqual(readFileSync(join(again, place)), readFileSync(join(SITE, place)), place);
});

/** A service with the site, and what it answers at a path. */
async function served(t: TestContext) {
  const { url } = await startTestService(t, { TESSERA_DOCS: 'true' });
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${url}${path}`, { method, headers, redirect: 'manual' });
  return { url, ask };
}

test('a service serves the site at /docs to everybody, and clients keep it', async (t) => {
  const { ask } = await served(t);
  assert.equal((await ask('/docs')).headers.get('location'), '/docs/');
  const page = await ask('/docs/how-to/redis.html');
  assert.equal(page.status, 200);
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none';script-src 'self';/);
  assert.equal(page.headers.get('cache-control'), 'private, no-cache');
  assert.equal(await page.text(), readFileSync(join(SITE, 'how-to/redis.html'), 'utf8'));
  const etag = page.headers.get('etag') ?? '';
  assert.equal((await ask('/docs/how-to/redis.html', { 'if-none-match': etag })).status, 304);
  const plain = await ask('/docs/how-to/redis.html', { 'accept-encoding': 'identity' });
  assert.notEqual(plain.headers.get('etag'), etag);
  assert.equal((await ask('/docs/images/user.webp')).headers.get('content-type'), 'image/webp');
  assert.equal((await ask('/docs/', {}, 'HEAD')).status, 200);
  for (const path of [
    '/docs/none.html',
    '/docs/../package.json',
    '/docs/%2e%2e/package.json',
    '/docs/files.json',
  ]) {
    const refused = await ask(path);
    assert.equal(refused.status, 404, path);
  }
  assert.match(await (await ask('/docs/none.html')).text(), /There is no such page.*style\.css/s);
});

test('without the setting nothing answers at /docs, and without a site the start says what to run', async (t) => {
  const { url } = await startTestService(t);
  assert.equal((await fetch(`${url}/docs/`)).status, 404);
  assert.throws(() => new DocumentSite(pathToFileURL('/nowhere/')), /TESSERA_DOCS.*npm run site/);
});

test('the pages of the site can be read by everybody, and searched', {
  skip: whyNoBrowser() ?? false,
}, async (t) => {
  const { url } = await served(t);
  const { page } = await openBrowser(t);
  for (const path of ['', 'how-to/redis.html']) {
    await page.goto(`${url}/docs/${path}`);
    await checkForEverybody(page);
  }
  await page.getByLabel('Search').fill('forgotten passw');
  await page.getByRole('link', { name: 'A forgotten password' }).click();
  await page.waitForURL('**/docs/how-to/mail.html#a-forgotten-password');
  const without = await openBrowser(t, { scripts: false, width: 390 });
  await without.page.goto(`${url}/docs/nowhere/at-all.html`);
  await checkForm(without.page, 'en');
  await without.page.getByLabel('Search').press('Enter');
  await without.page.waitForURL('**/docs/index.html?q=');
});
