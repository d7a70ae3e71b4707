import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { serve } from '../crash/serve.ts';
import { shell } from '../faces/cli/command.ts';
import { whyNoCaddy } from '../service/caddy.ts';
import { freePort } from '../service/free-port.ts';
import { startProxy } from '../service/proxy.ts';
import { temporaryFolder } from '../service/start.ts';

const skip = whyNoCaddy() ?? false;
const PAGE = readFileSync(new URL('../../docs/start/README.md', import.meta.url), 'utf8');

/** What the page has its reader do and see, step by step: blocks of a kind, in their order. */
const steps = [...PAGE.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, kind = '', text = '']) => ({
  kind,
  text,
}));
const TICKET = /TICKET_[0-9a-f]{40}/g;

test('the first page opens a page of its reader to a ticket, and a log-out closes it', {
  skip,
}, async (t) => {
  const [start, , add, added, sites, caddy, ...rest] = steps;
  assert.match(start?.text ?? '', /^npm ci\nTESSERA_TRUSTED_PROXIES=127\.0\.0\.1 npm start\n$/);
  assert.equal(sites?.kind, 'caddyfile');
  assert.equal(caddy?.text, 'caddy run --config Caddyfile\n');

  const folder = await temporaryFolder(t);
  const data = join(folder, 'data');
  const service = serve(t, data, { TESSERA_TRUSTED_PROXIES: '127.0.0.1' });
  const { port: ofService } = new URL(await service.url);
  const [ofPage, ofProxy] = [await freePort(), await freePort()];
  const here = (text: string) =>
    text
      .replaceAll(':8080', `:${ofService}`)
      .replaceAll(':3000', `:${ofPage}`)
      .replaceAll('localhost:8000', `localhost:${ofProxy}`)
      .replaceAll('bin/tessera', 'tessera');
  await startProxy(t, 'caddy', ofProxy, (at) => {
    const file = join(at, 'Caddyfile');
    writeFileSync(file, here(sites.text));
    return ['run', '--adapter', 'caddyfile', '--config', file];
  });

  const told = [add, added, ...rest].filter((step) => step !== undefined);
  const typed = told.filter(({ kind }) => kind === 'sh').map(({ text }) => here(text));
  const shown = told.filter(({ kind }) => kind === 'text').map(({ text }) => text);
  const { stdout, stderr, code } = await shell(typed.join(''), { env: { TESSERA_DATA: data } });
  assert.deepEqual([stderr, code], ['', 0]);
  assert.equal(stdout.replace(TICKET, 'a ticket'), shown.join('').replace(TICKET, 'a ticket'));
});
