import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { checkForEverybody, checkForm } from '../../../faces/pages/check-page.ts';
import { openBrowser, whyNoBrowser } from '../../../service/browser.ts';
import { startTestService } from '../../../service/start.ts';
import { byName, kept } from './passkey-visitor.ts';
import { makePasskey, signedInWithAuthenticator, signInByPassword, verifyUser } from './passkeys.ts';

const skip = whyNoBrowser() ?? false;

/** Without offers in the field of the name, which the virtual authenticator answers by itself. */
const withoutOffers = (page: Page) =>
  page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');

const signOut = async (page: Page) => {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/portal/login*');
};

const usePasskey = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' }).click();

test('a user makes a passkey, and signs in with it alone and after the password', { skip }, async (t) => {
  const service = await startTestService(t);
  await service.addUser('anna');
  const { page, authenticator } = await signedInWithAuthenticator(t, service);
  await withoutOffers(page);
  await makePasskey(page, 'laptop');
  await signOut(page);
  await usePasskey(page);
  await page.waitForURL('**/portal/account');
  assert.match(await page.locator('main').innerText(), /You are signed in as anna/);
  await signOut(page);
  await signInByPassword(page, 'anna');
  await page.waitForURL('**/portal/second-factor');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.waitForURL('**/portal/account');
  await signOut(page);
  // An authenticator that does not check its user is no way in alone.
  await verifyUser(authenticator, false);
  await usePasskey(page);
  await page.getByRole('alert').getByText('Nothing was done').waitFor();
  await page.goto(`${byName(service)}/portal/account`);
  assert.equal(new URL(page.url()).pathname, '/portal/login');
});

test('the browser offers the passkey where it fills in the name', { skip }, async (t) => {
  const service = await startTestService(t);
  await service.addUser('anna');
  const { page } = await signedInWithAuthenticator(t, service);
  await makePasskey(page, 'laptop');
  await page.getByRole('button', { name: 'Sign out' }).click();
  // Chromium's authenticator takes up the offer by itself.
  await page.waitForURL('**/portal/account');
});

test('a second passkey on one device is refused by the browser, and the page says why', {
  skip,
}, async (t) => {
  const service = await startTestService(t);
  await service.addUser('anna');
  const { page } = await signedInWithAuthenticator(t, service);
  await makePasskey(page, 'laptop');
  await page.goto(`${byName(service)}/portal/account/passkeys/add`);
  await page.getByRole('button', { name: 'Make the passkey' }).click();
  await page.getByRole('alert').getByText('This device has a passkey for you already.').waitFor();
  assert.equal((await kept(service, 'anna')).passkeys.length, 1);
});

test('a removed passkey opens nothing, and the password is enough again', { skip }, async (t) => {
  const service = await startTestService(t);
  await service.addUser('anna');
  const { page } = await signedInWithAuthenticator(t, service);
  await withoutOffers(page);
  await makePasskey(page, 'laptop');
  await page.getByRole('link', { name: 'Remove the passkey laptop' }).click();
  await page.getByRole('button', { name: 'Remove the passkey' }).click();
  await page.waitForURL('**/portal/account/passkeys?done=removed');
  await signOut(page);
  await usePasskey(page);
  await page.getByText('This passkey was refused.').waitFor();
  await signInByPassword(page, 'anna');
  await page.waitForURL('**/portal/account');
});

test('every reader can use the pages about passkeys, on a phone and in German too', {
  skip,
}, async (t) => {
  const service = await startTestService(t);
  await service.addUser('anna');
  const { page, context } = await signedInWithAuthenticator(t, service);
  await makePasskey(page, 'laptop');
  const [{ credentialId } = assert.fail()] = (await kept(service, 'anna')).passkeys;
  const cookies = await context.cookies();
  const pages = ['', '/add', '/add?why=name', `/remove?id=${credentialId.toString('base64url')}`];
  const german = await openBrowser(t, { width: 360, scripts: false, language: 'de' });
  await german.context.addCookies(cookies);
  for (const path of pages) {
    await page.goto(`${byName(service)}/portal/account/passkeys${path}`);
    await checkForEverybody(page);
    await german.page.goto(page.url());
    await checkForm(german.page, 'de');
  }
  const stranger = await openBrowser(t, { colours: 'dark' });
  await stranger.page.goto(`${byName(service)}/portal/login`);
  await stranger.page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
  await checkForEverybody(stranger.page);
});

test('without JavaScript the pages say that passkeys need it, and the code remains', { skip }, async (t) => {
  const service = await startTestService(t);
  await service.addUser('anna');
  const { page: own } = await signedInWithAuthenticator(t, service);
  await makePasskey(own, 'laptop');
  const { page } = await openBrowser(t, { scripts: false });
  await page.goto(`${byName(service)}/portal/login`);
  assert.match(await page.locator('main').innerText(), /Passkeys need JavaScript/);
  assert.equal(await page.getByRole('button', { name: 'Sign in with a passkey' }).count(), 0);
  await signInByPassword(page, 'anna');
  await page.waitForURL('**/portal/second-factor');
  assert.match(await page.locator('main').innerText(), /Passkeys need JavaScript/);
  assert.ok(await page.getByLabel('Code').isVisible());
});
