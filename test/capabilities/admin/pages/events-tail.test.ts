import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Event } from '../../../../src/core/domain/event.ts';
import { openBrowser, whyNoBrowser } from '../../../service/browser.ts';
import { startTestService, type TestService } from '../../../service/start.ts';
import { until } from '../../../service/until.ts';
import { signedInAs } from './staff.ts';

const skip = whyNoBrowser() ?? false;

const append = ({ store }: TestService, event: Partial<Event>) =>
  store.write((unit) => unit.events.append({ at: Date.now(), kind: 'unlock', ...event }));

test('a browser adds events on top as they happen, pauses, and follows the filters', { skip }, async (t) => {
  const service = await startTestService(t);
  const visitor = await signedInAs(service, 'auditor');
  const { page, context } = await openBrowser(t);
  const cookies = [...visitor.cookies].map(([name, value]) => ({ name, value, url: service.url }));
  await context.addCookies(cookies);
  await page.goto(`${service.url}/portal/console/events`);
  const first = () => page.locator('tbody tr').first().innerText();
  await append(service, { user: '<i>ann</i>', reason: 'one' });
  await until('the new row', async () => /Unlocked\s+<i>ann<\/i>\s+one/.test(await first()));
  assert.match(
    await first(),
    /^[A-Z][a-z]{2} \d+, \d{4}, \d+:\d\d:\d\d\s[AP]M\s/,
    'in the time zone of the reader',
  );

  const other = await context.newPage();
  await other.goto(`${service.url}/portal/console/events`);
  await page.getByRole('button', { name: 'Pause' }).click();
  // Each tail asks twice a second: the paused one has got the first of two rows when another has got the second.
  for (const reason of ['two', 'three']) {
    await append(service, { user: 'bob', reason });
    await until(`the row ${reason} elsewhere`, async () =>
      (await other.locator('tbody').innerText()).includes(reason),
    );
  }
  assert.ok(!(await page.locator('tbody').innerText()).includes('two'));
  await page.getByRole('button', { name: 'Continue' }).click();
  await until('the rows that waited', async () => (await first()).includes('three'));
  await other.close();

  await page.getByLabel('What happened').selectOption('lock');
  await until('the filter in the address', () => page.url().includes('kind=lock'));
  await append(service, { user: 'cem', reason: 'four' });
  await append(service, { kind: 'lock', user: 'dora', reason: 'five' });
  await until('the row that passes', async () => (await first()).includes('five'));
  assert.equal(await page.locator('tbody tr').count(), 1);
});

test('a page whose tail has ended says so', { skip }, async (t) => {
  const service = await startTestService(t);
  const visitor = await signedInAs(service, 'auditor');
  const { page, context, complaints } = await openBrowser(t);
  const cookies = [...visitor.cookies].map(([name, value]) => ({ name, value, url: service.url }));
  await context.addCookies(cookies);
  await page.goto(`${service.url}/portal/console/events`);
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  await visitor.send('/portal/account', '/portal/logout');
  await page.getByText('New rows no longer appear here. Reload the page.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Pause' }).count(), 0);
  // The browser is led to the sign-in, which is no stream.
  for (const each of complaints.splice(0)) assert.match(each, /EventSource/);
});
