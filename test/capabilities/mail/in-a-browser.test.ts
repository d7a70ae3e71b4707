import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openMemory } from '../../engines/memory/open.ts';
import { openBrowser, whyNoBrowser } from '../../service/browser.ts';
import { PASSWORD } from '../../service/start.ts';
import { until } from '../../service/until.ts';
import { addPerson, linkIn, withMail } from './people.ts';

const why = whyNoBrowser();
const NEW = 'four quiet rivers meeting';

/** Follows the link of a mail, chooses a password, and signs in with it. */
async function choosePassword(page: Page, address: string, name: string): Promise<void> {
  await page.goto(address);
  await page.getByLabel('New password').fill(NEW);
  await page.getByRole('button', { name: 'Set the password' }).click();
  await page.getByRole('link', { name: 'To the sign-in' }).click();
  await page.getByLabel('User name').fill(name);
  await page.getByLabel('Password').fill(NEW);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('**/portal/account');
}

test('in a browser somebody who forgot the password asks for a link by mail address, and signs in with a new one', async (t) => {
  if (why !== undefined) return t.skip(why);
  const { server, service } = await withMail(t, {}, openMemory);
  await addPerson(service, 'anna', 'anna@example.org');
  const { page } = await openBrowser(t, { width: 390 });
  await page.goto(`${service.url}/portal/login`);
  await page.getByRole('link', { name: 'Forgotten your password?' }).click();
  await page.getByLabel('User name or mail address').fill('anna@example.org');
  await page.getByRole('button', { name: 'Send the link' }).click();
  await page.getByRole('heading', { name: 'Check your mail' }).waitFor();
  await server.got(1);
  const { path } = linkIn(server.mails[0]);
  await choosePassword(page, service.url + path, 'anna');
  await page.goto(service.url + path);
  await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
});

test('in a browser an administrator invites somebody, who chooses a password by the link in the mail', async (t) => {
  if (why !== undefined) return t.skip(why);
  const { server, service } = await withMail(t, {}, openMemory);
  const { page: console } = await openBrowser(t);
  await console.goto(`${service.url}/portal/console/invite-user`);
  await console.getByLabel('User name').fill('admin');
  await console.getByLabel('Password').fill(PASSWORD);
  await console.getByRole('button', { name: 'Sign in', exact: true }).click();
  await console.getByLabel('User name').fill('dora');
  await console.getByLabel('E-mail').fill('dora@example.org');
  await console.getByRole('button', { name: 'Invite' }).click();
  await console.getByText('dora is invited. The mail is on its way.').waitFor();
  await until('the invitation', () => server.mails.length === 1);
  assert.deepEqual(server.mails[0]?.to, ['dora@example.org']);
  const { page } = await openBrowser(t);
  await choosePassword(page, service.url + linkIn(server.mails[0]).path, 'dora');
});
