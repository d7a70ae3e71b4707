import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const GUIDE = new URL('../../docs/guide/', import.meta.url);
const pages = readdirSync(GUIDE).filter((file) => /^gate-\w+\.md$/.test(file));

test('a service that a proxy on another machine asks listens where that reaches it', () => {
  assert.ok(pages.length >= 3, pages.join());
  for (const page of pages) {
    const text = readFileSync(new URL(page, GUIDE), 'utf8');
    const [, asked] = /([\d.]+):8080/.exec(text) ?? assert.fail(`${page} names no service`);
    const [, host = '127.0.0.1'] = /TESSERA_HOST=(\S+) .*bin\/tessera serve/.exec(text) ?? [];
    assert.equal(host, asked, page);
  }
});
