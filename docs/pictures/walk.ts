import type { Browser, BrowserContext, Page } from 'playwright-core';
import { EXAMPLE_NOW, EXAMPLE_PASSWORD, type ExampleService } from './example-service.ts';

/** The pictures of the page `docs/start/walk.md`, in their order. */
export const WALK = ['invite', 'choose-password', 'my-account', 'protected-page', 'revoke', 'revoked'].map(
  (step) => `walk-${step}`,
);

const VIEW = { width: 960, height: 720 };

/** The page of a site that the gate protects, for the user whom the gate names. */
const report = (user: string) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Reports</title>
<style>body{font:18px/1.5 sans-serif;max-width:44rem;margin:5rem auto}th,td{padding:.3rem 2rem .3rem 0;text-align:left}</style>
<h1>Reports</h1><p>The proxy says: this is <b>${user}</b>.</p>
<table><tr><th>Month<th>Orders<th>Returns<tr><td>January<td>1,204<td>31<tr><td>February<td>1,377<td>28</table></html>`;

/** Answers below /reports as a proxy does that asks the gate about each request. */
async function protectReports(context: BrowserContext, url: string): Promise<void> {
  await context.route(`${url}/reports/`, async (route) => {
    const headers = {
      accept: 'text/html',
      'x-forwarded-uri': '/reports/',
      'x-forwarded-method': 'GET',
      'x-forwarded-host': new URL(url).host,
      'x-forwarded-proto': 'http',
    };
    const gate = await context.request.get(`${url}/gate`, { headers, maxRedirects: 0 });
    const { 'x-tessera-user': user, location = '' } = gate.headers();
    if (user !== undefined) await route.fulfill({ contentType: 'text/html', body: report(user) });
    else await route.fulfill({ status: gate.status(), headers: { location } });
  });
}

/** A browser whose clock stands still, as the one of the service does. */
async function openBrowserOf(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: VIEW, locale: 'en-GB', timezoneId: 'Europe/Berlin' });
  const page = await context.newPage();
  await page.clock.setFixedTime(EXAMPLE_NOW);
  return page;
}

async function signIn(page: Page, name: string): Promise<void> {
  await page.getByLabel('User name').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(EXAMPLE_PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((address) => !address.pathname.endsWith('/login'));
}

/** Invites Dora in the console, and gives the link that the console shows once. */
async function invite(admin: Page, { url }: ExampleService, show: (page: Page) => Promise<void>) {
  await admin.goto(`${url}/portal/console/invite-user`);
  await signIn(admin, 'admin');
  await admin.getByLabel('User name').fill('dora');
  await admin.getByLabel('First name').fill('Dora');
  await admin.getByLabel('Last name').fill('Keller');
  await admin.getByLabel('E-mail').fill('dora@example.org');
  await show(admin);
  await admin.getByRole('button', { name: 'Invite' }).click();
  const text = await admin.getByText('/portal/choose-password?').first().textContent();
  return text?.trim() ?? '';
}

/** Walks from an invitation to the end of a sign-in, and shows each step. */
export async function walk(
  browser: Browser,
  service: ExampleService,
  take: (name: string, page: Page) => Promise<void>,
): Promise<void> {
  const { url } = service;
  const names = WALK.values();
  const show = (page: Page) => take(names.next().value ?? '', page);
  const [admin, dora] = [await openBrowserOf(browser), await openBrowserOf(browser)];
  await protectReports(dora.context(), url);
  const link = await invite(admin, service, show);
  await service.join('editors', 'dora');
  await dora.goto(link);
  await dora.getByLabel('New password', { exact: true }).fill(EXAMPLE_PASSWORD);
  await show(dora);
  await dora.getByRole('button', { name: 'Set the password' }).click();
  await dora.waitForURL('**/done');
  await dora.goto(`${url}/portal/account`);
  await signIn(dora, 'dora');
  await show(dora);
  await dora.goto(`${url}/reports/`);
  await show(dora);
  await admin.goto(`${url}/portal/console/users/dora`);
  const end = admin.getByRole('link', { name: 'End all' });
  await end.scrollIntoViewIfNeeded();
  // The name of a ticket is random, and the picture is always the same.
  await admin
    .locator('td code')
    .first()
    .evaluate((code) => {
      code.textContent = '5e1f9c27';
    });
  await show(admin);
  await end.click();
  await admin.getByRole('button', { name: 'End' }).first().click();
  await admin.waitForURL('**/users/dora?*');
  await dora.goto(`${url}/reports/`);
  await show(dora);
  for (const page of [admin, dora]) await page.context().close();
}
