import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { rendered } from './chromium.ts';

/** How a page is changed before a browser has it. */
export type Change = (text: string) => string;

/**
 * What this script has written into the title attribute of a page's root, once a browser has made the page. The page
 * comes without its policy, which forbids the script.
 */
export async function measured(
  t: TestContext,
  url: string,
  script: string,
  change: Change = (text) => text,
): Promise<string | undefined> {
  const { origin, pathname } = new URL(url);
  const front = createServer(async ({ url: target = '' }, response) => {
    const answer = await fetch(origin + target, { headers: { accept: 'text/html' } });
    response.setHeader('content-type', answer.headers.get('content-type') ?? '');
    const text = await answer.text();
    const shown = target === pathname ? text.replace('</body>', `<script>${script}</script></body>`) : text;
    response.end(change(shown));
  });
  t.after(() => front.close());
  await new Promise<void>((listening) => front.listen(0, '127.0.0.1', listening));
  const page = await rendered(t, `http://127.0.0.1:${(front.address() as AddressInfo).port}${pathname}`);
  return page.match(/<html[^>]* title="([^"]*)"/)?.[1];
}
