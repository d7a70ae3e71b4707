import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { newGroup } from '../../../../src/core/domain/group.ts';
import { converse } from '../../../core/http/connection.ts';
import { configurationOn } from '../../../docs/configuration.ts';
import { startCaddy, whyNoCaddy } from '../../../service/caddy.ts';
import { freePort } from '../../../service/free-port.ts';
import { startNginx, whyNoNginx } from '../../../service/nginx.ts';
import { startTestService, temporaryFolder } from '../../../service/start.ts';
import { logIn } from '../../../service/talk.ts';

const SECRET = 'For editors';
const RULES = {
  rules: [{ path: '/reports', allow: { groups: ['editors'] } }, { allow: 'signed-in' }],
};

/** Ways to write `/reports/index.html` that some web servers read as it. */
const TRICKS = [
  '/reports',
  '/reports/',
  '/reports/index.html',
  '//reports/index.html',
  '///reports///index.html',
  '/./reports/index.html',
  '/x/../reports/index.html',
  '/public/..//reports/index.html',
  '/%72eports/index.html',
  '/%2572eports/index.html',
  '/reports%2findex.html',
  '/reports%2Findex.html',
  '/%2freports/index.html',
  '/.%2freports/index.html',
  '/x/%2e%2e/reports/index.html',
  '/x/%2e./reports/index.html',
  '/x/..%2freports/index.html',
  '/x/..%5creports/index.html',
  '/x\\..\\reports\\index.html',
  '/\\reports/index.html',
  '/reports;x/index.html',
  '/reports/;x/index.html',
  '/;x/reports/index.html',
  '/..;/reports/index.html',
  '/reports/index.html;x',
  '/reports/index.html%00',
  '/reports/%00index.html',
  '/reports./index.html',
  '/reports%20/index.html',
  '/reports/index.html?x=/../../public',
  '/?/../reports/index.html',
  '/%3f/../reports/index.html',
  '/#/../reports/index.html',
  '/Reports/index.html',
  '/REPORTS/INDEX.HTML',
  '/rep\u00f6rts/../reports/index.html',
  '/%c0%ae%c0%ae/reports/index.html',
  '/\uff52eports/index.html',
  'http://localhost/reports/index.html',
  'http://elsewhere/x/../reports/index.html',
];

interface SiteFront {
  readonly why: () => string | undefined;
  readonly uriHeader: string;
  start(t: TestContext, to: { folder: string; tessera: string; port: number }): Promise<string>;
}

/** The proxies as the how-to page sets them up, in front of files. */
const FRONTS: Readonly<Record<string, SiteFront>> = {
  Caddy: {
    why: whyNoCaddy,
    uriHeader: 'X-Forwarded-Uri',
    start(t, { folder, tessera, port }) {
      const sites = configurationOn('protect-a-page.md', 'caddyfile', {
        '{\n\tadmin off\n}\n': '',
        'http://localhost:8000': `http://localhost:${port}`,
        'root * site': `root * ${folder}`,
      });
      return startCaddy(t, sites.replaceAll('127.0.0.1:8080', tessera), port);
    },
  },
  nginx: {
    why: whyNoNginx,
    uriHeader: 'X-Original-URL',
    start(t, { folder, tessera, port }) {
      const site = configurationOn('protect-a-page.md', 'nginx', {
        'listen 8000': `listen ${port}`,
        '/srv/site': folder,
      });
      return startNginx(t, site.replaceAll('127.0.0.1:8080', tessera), port);
    },
  },
};

/** A site with a page for editors, whom Anna belongs to and Bob does not, and what its front answers to raw targets. */
async function startSite(t: TestContext, front: SiteFront) {
  const folder = await temporaryFolder(t);
  mkdirSync(join(folder, 'reports'));
  writeFileSync(join(folder, 'index.html'), 'For everybody');
  writeFileSync(join(folder, 'reports/index.html'), SECRET);
  const rules = join(folder, 'rules.json');
  writeFileSync(rules, JSON.stringify(RULES));
  const service = await startTestService(t, {
    TESSERA_TRUSTED_PROXIES: '127.0.0.1',
    TESSERA_GATE_RULES: rules,
    TESSERA_GATE_URI_HEADER: front.uriHeader,
  });
  for (const name of ['anna', 'bob']) await service.addUser(name);
  await service.store.write(async ({ users, groups }) => {
    const anna = await users.findByKey('anna');
    const editors = await groups.add(newGroup('editors'));
    await groups.addUser(editors?.id ?? 0, anna?.id ?? 0);
  });
  const port = await freePort();
  await front.start(t, { folder, tessera: new URL(service.url).host, port });
  const tickets = { anna: await logIn(service.url, 'anna'), bob: await logIn(service.url, 'bob') };
  const ask = async (as: keyof typeof tickets, target: string) => {
    const head = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nCookie: tessera=${tickets[as]}\r\nConnection: close\r\n\r\n`;
    return converse(`http://127.0.0.1:${port}`, Buffer.from(head));
  };
  return { ask };
}

for (const [name, front] of Object.entries(FRONTS))
  test(`${name}: however its path is written, a page opens for its group alone`, {
    skip: front.why() ?? false,
  }, async (t) => {
    const { ask } = await startSite(t, front);
    const opened = (answers: readonly { readonly text: string }[]) =>
      answers.some(({ text }) => text.includes(SECRET));
    assert.ok(opened(await ask('anna', '/reports/')), 'the page is there');
    assert.match((await ask('bob', '/'))[0]?.text ?? '', /For everybody/);
    for (const target of TRICKS) assert.ok(!opened(await ask('bob', target)), target);
    // At least the plain ways are ways to the page.
    const ways = [];
    for (const target of TRICKS) if (opened(await ask('anna', target))) ways.push(target);
    assert.ok(ways.length >= 5, ways.join());
    t.diagnostic(`${ways.length} of ${TRICKS.length} ways lead Anna to the page`);
  });
