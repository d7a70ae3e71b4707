import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { forgedNames } from '../gate/guarded.ts';

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

const pageOf = (name: string) => readFileSync(new URL(`gate-${name}.md`, GUIDE), 'utf8');

test('a proxy that takes nothing but 200 for a yes is given that', () => {
  assert.match(pageOf('envoy'), /ext_authz/);
  assert.match(pageOf('envoy'), /^export .*TESSERA_GATE_ANSWERS=200$/m);
});

test('what Traefik removes before it copies the headers of the gate is every name that may be read as theirs', () => {
  const [, pattern = ''] = /authResponseHeadersRegex: "\(\?i\)(.+)"/.exec(pageOf('traefik')) ?? [];
  const matches = new RegExp(pattern, 'i');
  for (const name of forgedNames()) assert.match(name, matches);
  for (const name of ['Authorization', 'X-Forwarded-For', 'My-X-Tessera-User'])
    assert.doesNotMatch(name, matches);
});
