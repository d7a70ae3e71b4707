import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { openBrowser, whyNoBrowser } from './browser.ts';

const skip = whyNoBrowser() ?? false;

/** Serves this document below a strict policy, and nothing else. */
async function serveDocument(
  t: TestContext,
  body: string | ((request: IncomingMessage, response: ServerResponse) => string),
): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url !== '/') return response.writeHead(404).end();
    const policy = "default-src 'none'; script-src 'self'";
    response.setHeader('content-type', 'text/html').setHeader('content-security-policy', policy);
    response.end(typeof body === 'string' ? body : body(request, response));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

for (const scripts of [true, false]) {
  test(`a style that the policy forbids is a complaint, with scripts ${scripts ? 'on' : 'off'}`, {
    skip,
  }, async (t) => {
    const url = await serveDocument(t, '<p style="color: red">');
    const { page, complaints } = await openBrowser(t, { scripts });
    await page.goto(url);
    assert.match(complaints.splice(0).join(), /^http:\S+: .*inline style.*Content Security Policy/);
  });
}

test('a script that is missing is a complaint', { skip }, async (t) => {
  const url = await serveDocument(t, '<script src="/missing.js"></script>');
  const { page, complaints } = await openBrowser(t);
  await page.goto(url);
  assert.deepEqual(complaints.splice(0), [`${url}missing.js: 404`]);
});

test('a document that is refused is no complaint, and its status is there to compare', {
  skip,
}, async (t) => {
  const url = await serveDocument(t, (_, response) => {
    response.statusCode = 403;
    return '<p>no';
  });
  const { page } = await openBrowser(t);
  assert.equal((await page.goto(url))?.status(), 403);
});

test('a reader has a language, a width and colours, and cookies of its own', { skip }, async (t) => {
  const languages: (string | undefined)[] = [];
  const url = await serveDocument(t, (request) => {
    languages.push(request.headers['accept-language']);
    return '<noscript><p>no script runs</noscript>';
  });
  const one = await openBrowser(t, { language: 'de-DE', width: 360, colours: 'dark', scripts: false });
  await one.context.addCookies([{ name: 'mine', value: '1', url }]);
  await one.page.goto(url);
  assert.match(languages.join(), /^de-DE\b/);
  const seen = "[innerWidth, matchMedia('(prefers-color-scheme: dark)').matches, document.body.innerText]";
  assert.deepEqual(await one.page.evaluate(seen), [360, true, 'no script runs']);
  const other = await openBrowser(t);
  assert.deepEqual(await other.context.cookies(), []);
});
