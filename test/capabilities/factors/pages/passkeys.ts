import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { CDPSession, Page } from 'playwright-core';
import { openBrowser, type Reader } from '../../../service/browser.ts';
import { PASSWORD, type TestService } from '../../../service/start.ts';
import { byName } from './passkey-visitor.ts';

/** An authenticator that Chromium pretends to have. */
export interface VirtualAuthenticator {
  readonly session: CDPSession;
  readonly id: string;
}

/** Chromium's virtual authenticator (WebAuthn section 11): it answers at once, and verifies its user. */
export async function addAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { session, id: authenticatorId };
}

/** Has the authenticator verify its user, or not. */
export async function verifyUser(
  { session, id }: VirtualAuthenticator,
  isUserVerified: boolean,
): Promise<void> {
  await session.send('WebAuthn.setUserVerified', { authenticatorId: id, isUserVerified });
}

/** Fills in the sign-in page with name and password. */
export async function signInByPassword(page: Page, name: string): Promise<void> {
  await page.getByLabel('User name').fill(name);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** A browser in which this user is signed in, with an authenticator. */
export async function signedInWithAuthenticator(
  t: TestContext,
  service: TestService,
  name = 'anna',
  reader: Reader = {},
) {
  const browsing = await openBrowser(t, reader);
  const { page } = browsing;
  await page.goto(`${byName(service)}/portal/account`);
  const authenticator = await addAuthenticator(page);
  await signInByPassword(page, name);
  await page.waitForURL('**/portal/account');
  return { ...browsing, authenticator };
}

/** Makes a passkey of this name on its page, and fails if none is made. */
export async function makePasskey(page: Page, name: string): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/portal/account/passkeys/add`);
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Make the passkey' }).click();
  await page.waitForURL('**/portal/account/passkeys?done=added');
  assert.ok(await page.getByRole('rowheader', { name, exact: true }).isVisible());
}
