import assert from 'node:assert/strict';
import { after, type TestContext } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterwards } from './afterwards.ts';
import { launchChromium, whyNoChromium } from './chromium.ts';

/** Why no browser can be started here; nothing when one can. With TESSERA_TEST_ALL=1 that is a failure. */
export function whyNoBrowser(): string | undefined {
  const why = whyNoChromium();
  if (why === undefined) return undefined;
  const told = `${why}; TESSERA_TEST_ALL=1 makes that a failure`;
  if (process.env.TESSERA_TEST_ALL === '1') throw new Error(told);
  return told;
}

/** The person in front of the browser, and the screen. */
export interface Reader {
  /** What the browser sends as `Accept-Language`: `en-GB` unless given. */
  readonly language?: string;
  readonly colours?: 'light' | 'dark';
  /** CSS pixels: 1280 unless given. */
  readonly width?: number;
  /** Whether scripts run: yes unless given. */
  readonly scripts?: boolean;
  /** `Europe/Berlin` unless given. */
  readonly timeZone?: string;
  /** Whether the browser goes to servers with a certificate that it does not know: no unless given. */
  readonly anyCertificate?: boolean;
}

/** One reader's window, with cookies and a cache of its own. */
export interface Browsing {
  readonly context: BrowserContext;
  /** Its first tab. */
  readonly page: Page;
  /**
   * Errors of the console, violations of the page's policy, faults of scripts, and requests of a page that failed. Those
   * that are left at the end fail the test. A document that is refused is none: tests compare its status.
   */
  readonly complaints: string[];
}

/** The one browser of this process. */
let launched: Promise<Browser> | undefined;
after(async () => (await launched)?.close());

/** Collects what the reader's browser complains about, in all tabs. */
function complaintsOf(context: BrowserContext): string[] {
  const complaints: string[] = [];
  context.on('console', (message) => {
    // The answer itself tells of a request that was refused.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(`${message.location().url}: ${message.text()}`);
  });
  context.on('weberror', (error) => complaints.push(`${error.page()?.url()}: ${error.error()}`));
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText;
    // A page that is left gives up what it still asks for.
    if (reason !== 'net::ERR_ABORTED') complaints.push(`${request.url()}: ${reason}`);
  });
  context.on('response', (answer) => {
    if (answer.status() >= 400 && !answer.request().isNavigationRequest())
      complaints.push(`${answer.url()}: ${answer.status()}`);
  });
  return complaints;
}

/** Opens a window for a reader, and closes it after the test, which fails if there are complaints. */
export async function openBrowser(t: TestContext, reader: Reader = {}): Promise<Browsing> {
  launched ??= launchChromium();
  const context = await (await launched).newContext({
    locale: reader.language ?? 'en-GB',
    colorScheme: reader.colours ?? 'light',
    viewport: { width: reader.width ?? 1280, height: 800 },
    javaScriptEnabled: reader.scripts ?? true,
    timezoneId: reader.timeZone ?? 'Europe/Berlin',
    ignoreHTTPSErrors: reader.anyCertificate ?? false,
  });
  const complaints = complaintsOf(context);
  afterwards(t, async () => {
    await context.close();
    assert.deepEqual(complaints, []);
  });
  return { context, page: await context.newPage(), complaints };
}
