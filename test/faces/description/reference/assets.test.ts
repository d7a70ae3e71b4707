import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { createRequire } from 'node:module';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { openMemory } from '../../../engines/memory/open.ts';
import { PASSWORD, startTestService } from '../../../service/start.ts';
import { ask, basic } from '../../../service/talk.ts';

const inPackage = (name: string) =>
  readFileSync(createRequire(import.meta.url).resolve(`@fastify/swagger-ui/static/${name}`), 'utf8');

test('the page of the reference loads its script and its style from this service, and nothing else', async (t) => {
  const { url } = await startTestService(t, { TESSERA_INDEX: 'public' }, openMemory);
  const { text, headers } = await ask(`${url}/alfresco/service/reference`);
  const loaded = [...text.matchAll(/<(?:script|link)\b[^>]*(?:src|href)="([^"]*)"/g)].map(
    ([, target]) => target,
  );
  assert.equal(loaded.length, 2);
  for (const target of loaded) {
    assert.match(target ?? '', /^\/alfresco\/service\/reference\/(script\.js|style\.css)\?tag=[0-9a-f]{16}$/);
    const { status, headers } = await ask(url + target);
    assert.equal(status, 200);
    assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(headers.get('pragma'), null);
  }
  assert.doesNotMatch(text, /<script[^>]*>[^<]|<style|https?:/);
  const policy = headers.get('content-security-policy') ?? '';
  assert.match(policy, /^default-src 'none';script-src 'self';style-src 'self';/);
  assert.doesNotMatch(policy, /unsafe|https?:/);
});

test('script and style are those of the package, and asked for anew under the tag of another text', async (t) => {
  const { url } = await startTestService(t, { TESSERA_INDEX: 'public' }, openMemory);
  const files = { 'script.js': 'swagger-ui-bundle.js', 'style.css': 'swagger-ui.css' };
  for (const [asset, file] of Object.entries(files)) {
    const { text, headers } = await ask(`${url}/reference/${asset}`);
    assert.ok(text.includes(inPackage(file).split('\n', 1)[0] as string));
    assert.doesNotMatch(text, /sourceMappingURL/);
    for (const query of ['', '?tag=0123456789abcdef']) {
      const asked = await ask(`${url}/reference/${asset}${query}`);
      assert.equal(asked.status, 200);
      assert.equal(asked.headers.get('cache-control'), 'private, no-cache');
      const ifNoneMatch = { headers: { 'if-none-match': asked.headers.get('etag') ?? '' } };
      assert.equal((await ask(`${url}/reference/${asset}${query}`, ifNoneMatch)).status, 304);
    }
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
  }
});

const DECODERS: Record<string, (bytes: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  identity: (bytes) => bytes,
};

/** The response for a script or style, to a client that accepts these codings. */
async function sentTo(url: string, path: string, headers: Record<string, string>) {
  const { hostname, port } = new URL(url);
  const sent = request({ hostname, port, path, headers, agent: false }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const coding = response.headers['content-encoding'] ?? 'identity';
  const bytes = await buffer(response);
  const text = bytes.length === 0 ? '' : String(DECODERS[coding]?.(bytes));
  return { status: response.statusCode, headers: response.headers, coding, length: bytes.length, text };
}

const ACCEPTED: readonly [accepted: string | undefined, coding: string][] = [
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['br;q=0.1', 'br'],
  ['*', 'br'],
  ['deflate', 'identity'],
  ['identity;q=0', 'identity'],
];

for (const path of ['/reference/script', '/reference/style'])
  test(`${path} is sent in the smallest coding that the client accepts, each with a tag of its own`, async (t) => {
    const { url } = await startTestService(t, { TESSERA_INDEX: 'public' }, openMemory);
    const whole = await sentTo(url, path, {});
    const tags = new Map<string, unknown>();
    for (const [accepted, coding] of ACCEPTED) {
      const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
      const sent = await sentTo(url, path, headers);
      assert.equal(sent.status, 200);
      assert.equal(sent.coding, coding, String(accepted));
      assert.ok(sent.text === whole.text, String(accepted));
      assert.match(sent.headers.vary ?? '', /\bAccept-Encoding\b/);
      const { etag = '' } = sent.headers;
      assert.match(etag, /^"[\w-]{22}"$/);
      assert.equal(tags.get(coding) ?? etag, etag);
      tags.set(coding, etag);
      if (coding !== 'identity')
        assert.ok(sent.length < whole.length / 3, `${sent.length} of ${whole.length}`);
      const again = await sentTo(url, path, { ...headers, 'if-none-match': etag });
      assert.equal(again.status, 304);
      assert.match(again.headers.vary ?? '', /\bAccept-Encoding\b/);
    }
    assert.equal(new Set(tags.values()).size, 3);
  });

test('a shared cache may not keep what users alone may read', async (t) => {
  const { url, addUser } = await startTestService(t, { TESSERA_INDEX: 'user' }, openMemory);
  await addUser('mia');
  const known = basic(`mia:${PASSWORD}`);
  const page = await sentTo(url, '/reference', known);
  const targets = [...page.text.matchAll(/(?:src|href)="([^"]*reference\/[^"]*)"/g)].map(
    ([, target]) => target,
  );
  assert.equal(targets.length, 2);
  for (const target of targets) {
    const { headers } = await sentTo(url, String(target), known);
    assert.equal(headers['cache-control'], 'private, max-age=31536000, immutable');
  }
});

test('no other file can be had', async (t) => {
  const { url } = await startTestService(t, { TESSERA_INDEX: 'public' }, openMemory);
  for (const path of ['swagger-ui.js', 'package.json', '..%2f..%2fpackage.json', 'script.css', 'style.js']) {
    const { status } = await ask(`${url}/reference/${path}`);
    assert.ok(status === 404 || status === 406, path);
  }
});
