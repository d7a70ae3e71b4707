import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { checkForEverybody } from '../../../faces/pages/check-page.ts';
import { openBrowser, whyNoBrowser } from '../../../service/browser.ts';
import { startWithAcme } from './provider-visit.ts';

const skip = whyNoBrowser() ?? false;

/** Fills in the page of the provider. */
async function continueAs(page: Page, subject: string): Promise<void> {
  await page.getByRole('heading', { name: 'Identity provider' }).waitFor();
  await page.getByLabel('Subject').fill(subject);
  await page.getByRole('button', { name: 'Continue' }).click();
}

test('a person signs in at a provider on another site, also without scripts, and out again', {
  skip,
}, async (t) => {
  const { service, acme } = await startWithAcme(t, { signOut: true });
  // Another name of this machine is another site for a browser, so cookies and policies count.
  const url = service.url.replace('127.0.0.1', 'localhost');
  acme.register({
    client_id: 'tessera',
    redirect_uris: [`${url}/portal/signed-in/acme`],
    post_logout_redirect_uris: [`${url}/portal/login`],
  });
  for (const scripts of [true, false]) {
    const { page } = await openBrowser(t, { scripts, width: 360 });
    await page.goto(`${url}/portal/account?a=b`);
    if (scripts) await checkForEverybody(page);
    await page.getByRole('button', { name: 'Sign in with The acme' }).click();
    await continueAs(page, 's-anna');
    await page.waitForURL('**/portal/account?a=b');
    await page.getByText('You are signed in as anna').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${acme.issuer}/session/end**`);
    await page.goto(`${url}/portal/account`);
    assert.equal(new URL(page.url()).pathname, '/portal/login', 'the ticket has ended here');
  }
});

test('a browser that the provider knows comes back at once, unless it has to sign in anew; a declined sign-in shows a page', {
  skip,
}, async (t) => {
  const { service, acme } = await startWithAcme(t);
  const { page } = await openBrowser(t);
  const begin = async (again = '') => {
    await page.goto(`${service.url}/portal/login?${again}return=/portal/account`);
    await page.getByRole('button', { name: 'Sign in with The acme' }).click();
  };
  await begin();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('The identity provider did not sign you in').waitFor();
  await begin();
  await continueAs(page, 's-anna');
  await page.waitForURL('**/portal/account');
  await page.context().clearCookies({ name: 'tessera' });
  const pagesBefore = acme.asked.filter((path) => path.startsWith('/interaction/')).length;
  await begin();
  await page.waitForURL('**/portal/account');
  assert.equal(acme.asked.filter((path) => path.startsWith('/interaction/')).length, pagesBefore);
  await begin('again=anew&');
  await continueAs(page, 's-anna');
  await page.waitForURL('**/portal/account');
});
