import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const executablePath = PLACES.find((place) => existsSync(place));

/** Why no browser can be started here; nothing when one can. */
export const whyNoChromium = (): string | undefined =>
  executablePath === undefined ? 'no Chromium (Debian: apt-get install chromium)' : undefined;

/** Starts the Chromium that is installed. Its cache of pages for the back button is on, as readers have it. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: executablePath ?? 'chromium',
    // As root Chromium starts without its sandbox only.
    chromiumSandbox: process.getuid?.() !== 0,
    args: ['--disable-dev-shm-usage'],
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
}
