import { existsSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { run } from '../cli/command.ts';
import { temporaryFolder } from './start.ts';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const browser = PLACES.find((place) => existsSync(place));

/** Why no browser can be started here; nothing when one can. With TESSERA_TEST_ALL=1 that is a failure. */
export function whyNoBrowser(): string | undefined {
  if (browser !== undefined) return undefined;
  const why = 'no Chromium (Debian: apt-get install chromium); TESSERA_TEST_ALL=1 makes that a failure';
  if (process.env.TESSERA_TEST_ALL === '1') throw new Error(why);
  return why;
}

/** The document at this URL as a real browser has made it, once its scripts have come to rest. */
export async function rendered(t: TestContext, url: string): Promise<string> {
  const profile = `--user-data-dir=${await temporaryFolder(t)}`;
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const words = [
    '--headless',
    '--disable-gpu',
    '--disable-dev-shm-usage',
    '--no-first-run',
    profile,
    ...sandbox,
  ];
  const ended = await run(browser as string, [...words, '--virtual-time-budget=20000', '--dump-dom', url]);
  if (ended.code !== 0) throw new Error(`Chromium ended with ${ended.code}: ${ended.stderr}`);
  return ended.stdout;
}
