import { mkdirSync, writeFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { launchChromium, whyNoChromium } from '../../test/service/chromium.ts';
import { EXAMPLE_NOW, type ExampleService, startExampleService } from './example-service.ts';
import { WALK, walk } from './walk.ts';

/** A picture of a page of the example service. */
interface Picture {
  readonly path: string;
  /** Who is signed in; undefined before the sign-in. */
  readonly reader?: string;
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
}

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 720 };

const PICTURES: Readonly<Record<string, Picture>> = {
  'sign-in': { path: '/portal/login', ...DESKTOP, height: 600 },
  account: { path: '/portal/account', reader: 'anna', ...DESKTOP, height: 1215 },
  console: { path: '/portal/console', reader: 'admin', ...DESKTOP },
  user: { path: '/portal/console/users/ben', reader: 'admin', ...DESKTOP, height: 760 },
  'account-on-a-phone': { path: '/portal/account', reader: 'anna', ...PHONE },
};

/** The names of all pictures in `docs/images/`. */
export const NAMES: readonly string[] = [...Object.keys(PICTURES), ...WALK];

/** The file of a picture in the folder of the documents. */
export const fileOf = (name: string): string => `images/${name}.webp`;

/** From 0 to 100: small letters stay sharp. */
const QUALITY = 80;

async function picture(page: Page): Promise<Buffer> {
  await page.bringToFront();
  // A text cursor blinks.
  await page.evaluate('document.activeElement.blur()');
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  return Buffer.from(data, 'base64');
}

async function take(browser: Browser, { url, signIn }: ExampleService, of: Picture): Promise<Buffer> {
  const { path, reader, width, height } = of;
  const context = await browser.newContext({
    ...{ viewport: { width, height }, locale: 'en-GB', timezoneId: 'Europe/Berlin', colorScheme: 'light' },
  });
  if (reader !== undefined) await context.addCookies([{ name: 'tessera', value: await signIn(reader), url }]);
  const page = await context.newPage();
  await page.clock.setFixedTime(EXAMPLE_NOW);
  const response = await page.goto(url + path);
  if (response?.status() !== 200) throw new Error(`${path}: ${response?.status()}`);
  const bytes = await picture(page);
  await context.close();
  return bytes;
}

/**
 * Takes all pictures anew and writes them below `docs`, a folder that ends in a slash. The people, the addresses and the
 * clock are always the same, so a picture changes only when its page does, or Chromium. Without Chromium the pictures stay
 * as they are. Gives why.
 */
export async function writePictures(docs = new URL('../', import.meta.url)): Promise<string | undefined> {
  const why = whyNoChromium();
  if (why !== undefined) return why;
  mkdirSync(new URL('images/', docs), { recursive: true });
  const example = await startExampleService();
  // At an IP address no passkeys work.
  const service = { ...example, url: example.url.replace('127.0.0.1', 'localhost') };
  const browser = await launchChromium();
  try {
    const write = (name: string, bytes: Buffer) => writeFileSync(new URL(fileOf(name), docs), bytes);
    for (const [name, of] of Object.entries(PICTURES)) write(name, await take(browser, service, of));
    await walk(browser, service, async (name, page) => write(name, await picture(page)));
  } finally {
    await browser.close();
    await service.stop();
  }
  return undefined;
}
