import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { afterwards } from '../../service/afterwards.ts';
import { openBrowser, whyNoBrowser } from '../../service/browser.ts';
import { certificateFiles, tlsSettings } from '../../service/certified.ts';
import { PASSWORD, startTestService, type TestService } from '../../service/start.ts';
import { logIn } from '../../service/talk.ts';

const skip = whyNoBrowser() ?? false;

const pathOf = (page: Page) => page.url().slice(new URL(page.url()).origin.length);

/** Fills in the sign-in page that the browser shows. */
async function signIn(page: Page, name: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('User name').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** A service, and a browser in which admin is signed in and looks at the account. */
async function signedIn(t: TestContext) {
  const service = await startTestService(t);
  const browsing = await openBrowser(t);
  await browsing.page.goto(`${service.url}/portal/account`);
  await signIn(browsing.page, 'admin');
  await browsing.page.waitForURL('**/portal/account');
  return { service, ...browsing };
}

/** The cookies of a browser without that of the proof. */
const ticketCookies = async (context: BrowserContext) =>
  (await context.cookies()).filter(({ name }) => !name.endsWith('-proof'));

const signOut = (page: Page) => page.getByRole('button', { name: 'Sign out' }).click();

/** A site of somebody else, at this host name. It has this one page. */
async function otherSite(t: TestContext, host: string, page: string): Promise<string> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end(`<!doctype html>${page}`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterwards(t, () => {
    server.close();
    server.closeAllConnections();
  });
  return `http://${host}:${(server.address() as AddressInfo).port}/`;
}

/** A page that sends this form as soon as it is opened. */
function forged(action: string, fields: Record<string, string>): string {
  const inputs = Object.entries(fields).map(([name, value]) => `<input name="${name}" value="${value}">`);
  return `<form method="post" action="${action}">${inputs.join('')}</form><script>document.forms[0].submit()</script>`;
}

const formTokenOn = (page: Page) => page.locator('input[name=formToken]').first().getAttribute('value');

test('a page that needs a sign-in leads there, and back to the page with its query', { skip }, async (t) => {
  const { url } = await startTestService(t);
  const { page } = await openBrowser(t);
  await page.goto(`${url}/portal/account?a=b%20c&d=%C3%A9`);
  assert.equal(new URL(page.url()).pathname, '/portal/login');
  await signIn(page, 'admin');
  await page.waitForURL('**/portal/account?**');
  assert.equal(pathOf(page), '/portal/account?a=b%20c&d=%C3%A9');
});

test('the root of the service leads a browser to the sign-in and to the account', { skip }, async (t) => {
  const { url } = await startTestService(t);
  const { page } = await openBrowser(t);
  await page.goto(url);
  await signIn(page, 'admin');
  await page.waitForURL('**/portal/account');
});

test('a script on the page cannot read the ticket', { skip }, async (t) => {
  const { page, context } = await signedIn(t);
  assert.equal((await ticketCookies(context)).length, 1);
  assert.equal(await page.evaluate('document.cookie'), '');
});

test('over TLS the cookie is for this host alone, and is sent over TLS alone', { skip }, async (t) => {
  const { url } = await startTestService(t, tlsSettings(certificateFiles(t, 'IP:127.0.0.1')));
  const { page, context } = await openBrowser(t, { anyCertificate: true });
  await page.goto(`${url.replace('http:', 'https:')}/portal`);
  await signIn(page, 'admin');
  await page.waitForURL('**/portal/account');
  const [{ name, secure, httpOnly, sameSite, domain } = assert.fail()] = await ticketCookies(context);
  assert.deepEqual(
    { name, secure, httpOnly, sameSite, domain },
    { name: '__Host-tessera', secure: true, httpOnly: true, sameSite: 'Lax', domain: '127.0.0.1' },
  );
});

test('a sign-out in one tab ends the other: its next page is the sign-in', { skip }, async (t) => {
  const { page, context } = await signedIn(t);
  const other = await context.newPage();
  await other.goto(page.url());
  await signOut(page);
  await page.waitForURL('**/portal/login*');
  await other.reload();
  assert.equal(pathOf(other), '/portal/login?return=%2Fportal%2Faccount');
  await signIn(other, 'admin');
  await other.waitForURL('**/portal/account');
});

test('a form of a tab whose ticket has ended changes nothing and leads to the sign-in', {
  skip,
}, async (t) => {
  const { page, context } = await signedIn(t);
  const other = await context.newPage();
  await other.goto(page.url());
  await signOut(page);
  await page.waitForURL('**/portal/login*');
  await signOut(other);
  await other.waitForURL('**/portal/login?**');
});

test('after a sign-out the back button shows nothing of the account', { skip }, async (t) => {
  const { page } = await signedIn(t);
  await page.reload();
  const shown = await page.locator('main').innerText();
  await signOut(page);
  await page.waitForURL('**/portal/login*');
  await page.evaluate('history.back()');
  await page.waitForURL('**/portal/login?return=**');
  assert.notEqual(await page.locator('main').innerText(), shown);
});

test('a ticket that somebody planted in the browser is replaced by the sign-in, and ends', {
  skip,
}, async (t) => {
  const service = await startTestService(t);
  await service.addUser('mallory');
  const planted = await logIn(service.url, 'mallory', PASSWORD);
  const { page, context } = await openBrowser(t);
  await context.addCookies([{ name: 'tessera', value: planted, url: service.url }]);
  await page.goto(`${service.url}/portal/login?again=yes`);
  await signIn(page, 'admin');
  await page.waitForURL('**/portal/account');
  const [{ value } = assert.fail(), ...more] = await ticketCookies(context);
  assert.equal(more.length, 0);
  assert.notEqual(value, planted);
  assert.equal(await isLive(service, planted), false);
  assert.equal(await isLive(service, value), true);
});

async function isLive({ url }: TestService, ticket: string): Promise<boolean> {
  const authorization = `Basic ${Buffer.from(`:${ticket}`).toString('base64')}`;
  const asked = await fetch(`${url}/alfresco/service/api/login/ticket/${ticket}`, {
    headers: { authorization },
  });
  return asked.status === 200;
}

for (const [where, host] of [
  ['another site', 'localhost'],
  ['another port of the same host, which is the same site', '127.0.0.1'],
] as const) {
  test(`a form on ${where} signs no user out, not even with the token of the page`, { skip }, async (t) => {
    const { service, page, context } = await signedIn(t);
    const formToken = (await formTokenOn(page)) ?? assert.fail('no form on the page');
    const [{ value: ticket } = assert.fail()] = await ticketCookies(context);
    for (const fields of [{}, { formToken }] as const) {
      const tab = await context.newPage();
      const answered = tab.waitForResponse((response) => response.url().endsWith('/portal/logout'));
      await tab.goto(await otherSite(t, host, forged(`${service.url}/portal/logout`, fields)));
      assert.equal((await answered).status(), 403);
      await tab.close();
    }
    assert.equal(await isLive(service, ticket), true);
  });

  test(`a form on ${where} signs no user in as another`, { skip }, async (t) => {
    const { service, page, context } = await signedIn(t);
    await service.addUser('mallory');
    const [before] = await ticketCookies(context);
    const answered = page.waitForResponse((response) => response.request().method() === 'POST');
    const fields = { username: 'mallory', password: PASSWORD };
    await page.goto(await otherSite(t, host, forged(`${service.url}/portal/login`, fields)));
    assert.equal((await answered).status(), 403);
    assert.deepEqual(await ticketCookies(context), [before]);
  });
}

test('no page can be shown inside of another one', { skip }, async (t) => {
  const { url } = await startTestService(t);
  const { page, complaints } = await openBrowser(t);
  await page.goto(await otherSite(t, 'localhost', `<iframe src="${url}/portal/login"></iframe>`));
  assert.equal(await page.frameLocator('iframe').getByLabel('User name').count(), 0);
  assert.match(complaints.splice(0).join(), /frame-ancestors/);
});
