import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { exchange } from '../core/http/scenario.ts';
import { serve } from '../crash/serve.ts';
import { BIN, shell } from '../faces/cli/command.ts';
import { violationsOn } from '../faces/pages/check-page.ts';
import { openBrowser, whyNoBrowser } from '../service/browser.ts';
import { startCaddy, whyNoCaddy } from '../service/caddy.ts';
import { freePort } from '../service/free-port.ts';
import { startNginx, whyNoNginx } from '../service/nginx.ts';
import { temporaryFolder } from '../service/start.ts';

const PAGE = readFileSync(join(BIN, '../docs/how-to/protect-a-page.md'), 'utf8');

/** The blocks of a kind on the page, in their order. */
const blocksOf = (kind: string) =>
  [...PAGE.matchAll(new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, block = '']) => block,
  );

/** A proxy as the page sets it up, in front of a site in this folder. */
interface Front {
  readonly why: () => string | undefined;
  /** The line of the page that starts the service for it. */
  readonly starting: RegExp;
  start(t: TestContext, to: { folder: string; tessera: string; port: number }): Promise<string>;
}

const FRONTS: Readonly<Record<string, Front>> = {
  Caddy: {
    why: whyNoCaddy,
    starting: /X-Forwarded-Uri/,
    start(t, { folder, tessera, port }) {
      const [text = ''] = blocksOf('caddyfile');
      const [, sites = ''] = /^\{\n\tadmin off\n\}\n([\s\S]*)/.exec(text) ?? assert.fail(text);
      const here = sites
        .replace('localhost:8000', `localhost:${port}`)
        .replaceAll('127.0.0.1:8080', tessera)
        .replace('root * site', `root * ${join(folder, 'site')}`);
      return startCaddy(t, here, port);
    },
  },
  nginx: {
    why: whyNoNginx,
    starting: /X-Original-URL/,
    start(t, { folder, tessera, port }) {
      const [text = ''] = blocksOf('nginx');
      const here = text
        .replace('listen 8000', `listen ${port}`)
        .replaceAll('127.0.0.1:8080', tessera)
        .replace('/srv/site', join(folder, 'site'));
      return startNginx(t, here, port);
    },
  },
};

/** Does what the page says, with this proxy. Gives the address of the site. */
async function follow(t: TestContext, front: Front): Promise<string> {
  const folder = await temporaryFolder(t);
  const [making = '', starting = '', startingOther = '', adding = ''] = blocksOf('sh');
  writeFileSync(join(folder, 'rules.json'), blocksOf('json')[0] ?? '');
  const run = async (commands: string, env: Record<string, string> = {}) => {
    const ended = await shell(`set -e\n${commands.replaceAll('bin/tessera', 'tessera')}`, {
      cwd: folder,
      env,
    });
    assert.equal(ended.code, 0, ended.stderr);
    return ended.stdout;
  };
  await run(making);
  const line = [starting, startingOther]
    .join('')
    .split('\n')
    .find((each) => front.starting.test(each));
  const set = `${starting} ${line}`.matchAll(/(TESSERA_\w+)=(\S+)/g);
  const env: Record<string, string> = Object.fromEntries([...set].map(([, name, value]) => [name, value]));
  const data = join(folder, 'data');
  const rules = join(folder, env.TESSERA_GATE_RULES ?? '');
  const { url } = serve(t, data, { ...env, TESSERA_GATE_RULES: rules });
  const tessera = new URL(await url).host;
  await run(adding, { TESSERA_DATA: data });
  const port = await freePort();
  await front.start(t, { folder, tessera, port });
  const asked = await run((blocksOf('sh').at(-1) ?? '').replace('localhost:8000', `localhost:${port}`));
  assert.equal(asked, blocksOf('text')[0]);
  return `http://localhost:${port}`;
}

/** Other spellings of the path of the part for editors. */
const SPELLINGS = [
  '//reports/',
  '/./reports/',
  '/portal/../reports/',
  '/%72eports/',
  '/reports%2findex.html',
  '/Reports/',
  '/reports;x/',
  '/x/..%2freports/',
];

async function signIn(page: Page, name: string, password: string): Promise<void> {
  await page.getByLabel('User name').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

for (const [name, front] of Object.entries(FRONTS)) {
  test(`the page about an internal page, with ${name}: a browser is led to the sign-in and back`, {
    skip: whyNoBrowser() ?? front.why() ?? false,
  }, async (t) => {
    const site = await follow(t, front);
    const { page, context } = await openBrowser(t);
    await page.goto(`${site}/reports/?month=May%202026`);
    assert.equal(new URL(page.url()).pathname, '/portal/login');
    await signIn(page, 'alice', 'a long quiet river');
    await page.waitForURL('**/reports/**');
    assert.equal(page.url(), `${site}/reports/?month=May%202026`);
    assert.equal(await page.getByRole('heading').innerText(), 'For editors');
    await page.goto(`${site}/portal`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/portal/login*');
    const outside = await page.goto(`${site}/`);
    assert.equal(new URL(outside?.url() ?? '').pathname, '/portal/login', 'the sign-out holds at once');
    await signIn(page, 'bob', 'a wide silent valley');
    await page.waitForURL(`${site}/`);
    assert.equal(await page.getByRole('heading').innerText(), 'For everybody who works here');
    const denied = await page.goto(`${site}/reports/`);
    assert.equal(denied?.status(), 403);
    assert.match(await page.locator('body').innerText(), /editors/);
    assert.deepEqual(await violationsOn(page), []);
    const [{ value: ticket } = assert.fail()] = await context.cookies();
    for (const path of SPELLINGS) {
      const { text } = await exchange(site, `GET ${path}`, { headers: { cookie: `tessera=${ticket}` } });
      assert.doesNotMatch(text, /For editors/, path);
    }
    for (const target of ['/', `${site}/`]) {
      const headers = { cookie: `tessera=${ticket}`, host: 'other.example.org' };
      const { text } = await exchange(site, `GET ${target}`, { headers });
      assert.doesNotMatch(text, /For everybody/, `${target} under the name of another host`);
    }
  });
}
