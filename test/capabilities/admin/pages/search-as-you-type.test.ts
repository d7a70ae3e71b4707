import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBrowser, whyNoBrowser } from '../../../service/browser.ts';
import { startConsole } from './console-service.ts';

const skip = whyNoBrowser() ?? false;

test('users are found while their names are typed, without a new page, and the address has the search', {
  skip,
}, async (t) => {
  const { service, visitor } = await startConsole(t);
  for (const name of ['anna', 'bert']) await service.addUser(name);
  await visitor.send('/portal/console/add-group', '/portal/console/add-group', { name: 'staff' });
  const { page, context } = await openBrowser(t);
  const [[name = '', value = ''] = []] = [...visitor.cookies];
  await context.addCookies([{ name, value, url: service.url }]);
  await page.goto(`${service.url}/portal/console/users`);
  const heading = await page.locator('h1').elementHandle();
  await page.getByLabel('Name or e-mail').pressSequentially('ann');
  await page.getByRole('link', { name: 'bert' }).waitFor({ state: 'detached' });
  assert.equal(await page.locator('tbody tr').count(), 1);
  await page.waitForURL(/find=ann/);
  assert.equal(await heading?.evaluate((each) => each.isConnected), true, 'the page was not loaded again');
  await page.getByRole('link', { name: 'anna' }).click();
  await page.getByLabel('Find a group to join').pressSequentially('st');
  await page.getByRole('button', { name: 'Join staff' }).click();
  await page.getByText('The user joined the group').waitFor();
});
