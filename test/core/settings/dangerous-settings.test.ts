import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLoopback } from '../../../src/core/settings/combinations.ts';
import { dangersIn, plainHttpFinding } from '../../../src/core/settings/dangerous-settings.ts';
import type { Settings } from '../../../src/core/settings/table.ts';
import { readSettings } from '../../../src/main/settings.ts';

const settings = (more: Partial<Settings> = {}) => ({
  ...readSettings({ flags: {}, env: {} }).settings,
  ...more,
});

test('passwords in plain HTTP are warned of, unless they stay on the machine, are encrypted, or are meant to', () => {
  const warns = (url: string, more?: Partial<Settings>) =>
    plainHttpFinding(url, settings(more)) !== undefined;
  assert.equal(warns('http://192.0.2.1:8080'), true);
  for (const url of [
    'https://192.0.2.1:8443',
    'unix:/run/http.sock',
    'http://127.0.0.1:8080',
    'http://[::1]:8080',
  ])
    assert.equal(warns(url), false, url);
  assert.equal(warns('http://192.0.2.1:8080', { trustedProxies: ['192.0.2.9/32'] }), false);
  assert.equal(warns('http://192.0.2.1:8080', { insecureHttp: true }), false);
});

test('the dangers of settings are those that there are, and no others', () => {
  assert.deepEqual(dangersIn(settings({ host: '127.0.0.1' })), []);
  const found = dangersIn(settings({ host: '192.0.2.1', trustedProxies: ['0.0.0.0/0'] }));
  assert.deepEqual(
    found.map(({ level }) => level),
    ['fault'],
  );
});

test('a host is this machine itself if it is its name, an address of loopback or a socket, and no other', () => {
  for (const host of ['localhost', '::1', '[::1]', '127.0.0.1', '127.9.8.7', 'unix:/run/http.sock'])
    assert.equal(isLoopback(host), true, host);
  for (const host of [
    '127.example.org',
    '192.0.2.1',
    '10.127.0.1',
    '::2',
    'localhost.example.org',
    '0.0.0.0',
  ])
    assert.equal(isLoopback(host), false, host);
});
