import { mkdirSync, writeFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { launchChromium, whyNoChromium } from '../../test/service/chromium.ts';
import { EXAMPLE_NOW, type ExampleService, startExampleService } from './example-service.ts';

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

/** The pictures in `docs/images/`, by name. */
export const PICTURES: Readonly<Record<string, Picture>> = {
  'sign-in': { path: '/portal/login', ...DESKTOP, height: 560 },
  account: { path: '/portal/account', reader: 'anna', ...DESKTOP },
  console: { path: '/portal/console', reader: 'admin', ...DESKTOP },
  user: { path: '/portal/console/users/ben', reader: 'admin', ...DESKTOP },
  'account-on-a-phone': { path: '/portal/account', reader: 'anna', ...PHONE },
};

/** The file of a picture in the folder of the documents. */
export const fileOf = (name: string): string => `images/${name}.webp`;

/** From 0 to 100: small letters stay sharp. */
const QUALITY = 80;

async function take(browser: Browser, { url, signIn }: ExampleService, picture: Picture): Promise<Buffer> {
  const { path, reader, width, height } = picture;
  const context = await browser.newContext({
    ...{ viewport: { width, height }, locale: 'en-GB', timezoneId: 'Europe/Berlin', colorScheme: 'light' },
  });
  if (reader !== undefined) await context.addCookies([{ name: 'tessera', value: await signIn(reader), url }]);
  const page = await context.newPage();
  await page.clock.setFixedTime(EXAMPLE_NOW);
  const response = await page.goto(url + path);
  if (response?.status() !== 200) throw new Error(`${path}: ${response?.status()}`);
  const devtools = await context.newCDPSession(page);
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  await context.close();
  return Buffer.from(data, 'base64');
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
  const service = await startExampleService();
  const browser = await launchChromium();
  try {
    for (const [name, picture] of Object.entries(PICTURES))
      writeFileSync(new URL(fileOf(name), docs), await take(browser, service, picture));
  } finally {
    await browser.close();
    await service.stop();
  }
  return undefined;
}
