import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBrowser, whyNoBrowser } from '../../../service/browser.ts';
import { startConsole } from './console-service.ts';

const skip = whyNoBrowser() ?? false;

test('times of events and of their filters are those of the clock of the reader, with seconds', {
  skip,
}, async (t) => {
  const { service, visitor } = await startConsole(t);
  const at = Date.UTC(2026, 0, 31, 8, 0, 30);
  await service.store.write(async ({ events }) => {
    await events.append({ at, kind: 'unlock', user: 'earlier' });
    await events.append({ at: at + 60_000, kind: 'unlock', user: 'later' });
  });
  const { page, context } = await openBrowser(t, { timeZone: 'Europe/Berlin' });
  const [[name = '', value = ''] = []] = [...visitor.cookies];
  await context.addCookies([{ name, value, url: service.url }]);
  await page.goto(`${service.url}/portal/console/events?since=2026-01-31T08:00:30&until=2026-02-01T00:00`);
  const since = page.getByLabel('From (your time)');
  assert.equal(await since.inputValue(), '2026-01-31T09:00:30');
  assert.match(await page.locator('tbody tr').last().innerText(), /Jan 31, 2026, 9:00:30\sAM/);
  await since.fill('2026-01-31T09:00:31');
  await page.getByText('earlier').waitFor({ state: 'detached' });
  await page.getByText('later').waitFor();
  await page.waitForURL(/since=2026-01-31T08%3A00%3A31/);
});
