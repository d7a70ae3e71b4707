import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { ASSET_NAMES, addressOf, assetOf } from '../../../src/faces/pages/assets.ts';
import { html } from '../../../src/faces/pages/html.ts';
import { pageText } from '../../../src/faces/pages/layout.ts';
import { sayIn } from '../../../src/faces/pages/texts/texts.ts';
import { startTestService } from '../../service/start.ts';

const TYPES = {
  style: 'text/css;charset=UTF-8',
  script: 'text/javascript;charset=UTF-8',
  htmx: 'text/javascript;charset=UTF-8',
  passkeys: 'text/javascript;charset=UTF-8',
  mark: 'image/svg+xml;charset=UTF-8',
};

test('each asset is served without a ticket, and kept for a year under the tag of its text alone', async (t) => {
  const { url } = await startTestService(t);
  for (const name of ASSET_NAMES) {
    const response = await fetch(url + addressOf(name));
    assert.equal(response.status, 200, name);
    assert.equal(await response.text(), assetOf(name).text);
    assert.equal(response.headers.get('content-type'), TYPES[name]);
    assert.match(response.headers.get('cache-control') ?? '', /public, max-age=31536000, immutable/);
    const other = await fetch(url + addressOf(name).replace(/tag=.*/, 'tag=other'));
    assert.equal(await other.text(), assetOf(name).text);
    assert.doesNotMatch(other.headers.get('cache-control') ?? '', /immutable/);
    const known = await fetch(url + addressOf(name), {
      headers: { 'If-None-Match': response.headers.get('etag') as string },
    });
    assert.equal(known.status, 304);
  }
});

/** The body of an answer as it is sent. */
async function sent(address: string, coding: string): Promise<Buffer> {
  // fetch would decode it.
  const { get } = await import('node:http');
  return new Promise((resolve, reject) => {
    get(address, { headers: { 'Accept-Encoding': coding } }, async (response) => {
      assert.equal(response.headers['content-encoding'], coding === 'identity' ? undefined : coding);
      resolve(Buffer.concat(await response.toArray()));
    }).on('error', reject);
  });
}

test('a browser that accepts it is sent a compressed text', async (t) => {
  const { url } = await startTestService(t);
  const address = url + addressOf('style');
  assert.equal(brotliDecompressSync(await sent(address, 'br')).toString(), assetOf('style').text);
  assert.equal(gunzipSync(await sent(address, 'gzip')).toString(), assetOf('style').text);
  assert.equal((await sent(address, 'identity')).toString(), assetOf('style').text);
});

test('a page with all that it loads, htmx too, is sent in at most 50 kB', async (t) => {
  const { url } = await startTestService(t);
  const loaded = await Promise.all(ASSET_NAMES.map((name) => sent(url + addressOf(name), 'br')));
  const page = await sent(`${url}/portal/login`, 'identity');
  const bytes = [page, ...loaded].reduce((sum, { length }) => sum + length, 0);
  assert.ok(bytes < 25_000, `${bytes} bytes leave too little for the content of a page`);
});

test('a page loads nothing but assets', () => {
  const page = { title: 'x', body: html`<h1>x</h1>`, usesHtmx: true, usesPasskeys: true };
  const text = pageText({ language: 'en', say: sayIn('en') }, page);
  const loaded = [...text.matchAll(/<(?:link|script|img)\b[^>]*(?:href|src)="([^"]*)"/g)].map(
    ([, at = '']) => at,
  );
  const known = ASSET_NAMES.map(addressOf);
  for (const address of loaded) assert.ok(known.includes(address), address);
  assert.deepEqual(new Set(loaded), new Set(known));
});
