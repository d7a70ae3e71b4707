import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  EXAMPLE_PASSWORD,
  type ExampleService,
  startExampleService,
} from '../../../docs/pictures/example-service.ts';
import { openBrowser, whyNoBrowser } from '../../service/browser.ts';
import { checkForEverybody } from './check-page.ts';

/** A page that no address shows: what it takes to see it, and the heading that it has then. */
interface Answer {
  readonly reader?: string;
  readonly heading: string;
  see(page: Page, url: string): Promise<unknown>;
}

const send = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

async function signIn(page: Page, url: string, name: string, password: string): Promise<void> {
  await page.goto(`${url}/portal/login`);
  await page.getByLabel('User name').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await send(page, 'Sign in');
}

const ANSWERS: Readonly<Record<string, Answer>> = {
  'a refused sign-in': {
    heading: 'Sign in',
    async see(page, url) {
      await signIn(page, url, 'anna', 'mistyped');
      await page.getByRole('alert').waitFor();
    },
  },
  'the question for a new password at a sign-in': {
    heading: 'Choose a new password',
    see: (page, url) => signIn(page, url, 'grace', EXAMPLE_PASSWORD),
  },
  'a new password that is too weak': {
    reader: 'anna',
    heading: 'Change password',
    async see(page, url) {
      await page.goto(`${url}/portal/account/password`);
      await page.getByLabel('Current password').fill(EXAMPLE_PASSWORD);
      await page.getByLabel('New password').fill('anna2026');
      await page.locator('.strength', { hasText: /\w/ }).waitFor();
      await send(page, 'Change password');
      await page.getByRole('alert').waitFor();
    },
  },
  'an address without a page': {
    reader: 'anna',
    heading: 'Not found',
    see: (page, url) => page.goto(`${url}/portal/nothing-here`),
  },
  'a page that takes a role': {
    reader: 'anna',
    heading: 'No access',
    see: (page, url) => page.goto(`${url}/portal/console`),
  },
  'a user that does not exist': {
    reader: 'admin',
    heading: 'Not found',
    see: (page, url) => page.goto(`${url}/portal/console/users/nemo`),
  },
  'a change that is done': {
    reader: 'admin',
    heading: 'Farid Haddad',
    async see(page, url) {
      await page.goto(`${url}/portal/console/users/farid`);
      await send(page, 'Require a new password');
      await page.waitForURL('**/farid?done=**');
    },
  },
};

async function opened(service: ExampleService, answer: Answer, page: Page): Promise<void> {
  const { reader } = answer;
  if (reader !== undefined)
    await page
      .context()
      .addCookies([{ name: 'tessera', value: await service.signIn(reader), url: service.url }]);
  await answer.see(page, service.url);
  await page.getByRole('heading', { level: 1, name: answer.heading, exact: true }).waitFor();
}

test('answers in a browser', { skip: whyNoBrowser() ?? false }, async (t) => {
  const service = await startExampleService();
  t.after(() => service.stop());
  for (const [name, answer] of Object.entries(ANSWERS))
    await t.test(`${name} can be read by everybody`, async (t) => {
      const { page } = await openBrowser(t);
      await opened(service, answer, page);
      await checkForEverybody(page);
      assert.notEqual((await page.locator('main').innerText()).trim(), answer.heading);
    });
});
