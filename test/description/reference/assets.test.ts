import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { startTestService } from '../../service/start.ts';
import { ask } from '../../service/talk.ts';
import { openMemory } from '../../storage/memory/open.ts';

const inPackage = (name: string) =>
  readFileSync(createRequire(import.meta.url).resolve(`@fastify/swagger-ui/static/${name}`), 'utf8');

test('the page of the reference loads its script and its style from this service, and nothing else', async (t) => {
  const { url } = await startTestService(t, {}, openMemory);
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

test('script and style are those of the package, and kept by nobody under the tag of another text', async (t) => {
  const { url } = await startTestService(t, {}, openMemory);
  const files = { 'script.js': 'swagger-ui-bundle.js', 'style.css': 'swagger-ui.css' };
  for (const [asset, file] of Object.entries(files)) {
    const { text, headers } = await ask(`${url}/reference/${asset}`);
    assert.ok(text.includes(inPackage(file).split('\n', 1)[0] as string));
    assert.doesNotMatch(text, /sourceMappingURL/);
    for (const query of ['', '?tag=0123456789abcdef']) {
      const asked = await ask(`${url}/reference/${asset}${query}`);
      assert.equal(asked.status, 200);
      assert.equal(asked.headers.get('cache-control'), 'no-cache, no-store');
    }
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
  }
});

test('no other file can be had', async (t) => {
  const { url } = await startTestService(t, {}, openMemory);
  for (const path of ['swagger-ui.js', 'package.json', '..%2f..%2fpackage.json', 'script.css', 'style.js']) {
    const { status } = await ask(`${url}/reference/${path}`);
    assert.ok(status === 404 || status === 406, path);
  }
});
