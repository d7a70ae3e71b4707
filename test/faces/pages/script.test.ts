import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { portalPolicy } from '../../../src/core/http/formats.ts';
import { type AssetName, assetOf } from '../../../src/faces/pages/assets.ts';
import { type Html, html } from '../../../src/faces/pages/html.ts';
import { pageText, type Reader, shownTime } from '../../../src/faces/pages/layout.ts';
import { changeForm, faultSummary, filterForm, lineField } from '../../../src/faces/pages/parts/form.ts';
import { table, tableRows } from '../../../src/faces/pages/parts/list.ts';
import { copyText } from '../../../src/faces/pages/parts/notice.ts';
import { sayIn } from '../../../src/faces/pages/texts/texts.ts';
import { afterwards } from '../../service/afterwards.ts';
import { openBrowser, whyNoBrowser } from '../../service/browser.ts';
import { until } from '../../service/until.ts';

const skip = whyNoBrowser() ?? false;

const reader: Reader = { language: 'en', say: sayIn('en'), user: { name: 'anna' }, formToken: 'the token' };

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const TYPES = { css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml' };

function sendPage(response: ServerResponse, body: Html): void {
  response.setHeader('content-type', 'text/html;charset=utf-8');
  response.setHeader('content-security-policy', portalPolicy(undefined));
  response.end(pageText(reader, { title: 'x', body, usesHtmx: true }));
}

/** Serves pages with these bodies by their paths, their assets, and what handlers answer. */
async function serve(t: TestContext, paths: Readonly<Record<string, Html | Handler>>): Promise<string> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url as string, 'http://localhost');
    const [, name, format] = /^\/portal\/assets\/(\w+)\.(css|js|svg)$/.exec(pathname) ?? [];
    const shown = paths[pathname];
    if (name !== undefined) {
      response.setHeader('content-type', TYPES[format as keyof typeof TYPES]);
      response.end(assetOf(name as AssetName).text);
    } else if (typeof shown === 'function') shown(request, response);
    else if (shown === undefined) response.writeHead(404).end();
    else sendPage(response, shown);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterwards(t, () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a time is shown as the clock of its reader says, and keeps what the page said', { skip }, async (t) => {
  const url = await serve(t, { '/': html`<h1>x</h1><p>${shownTime(Date.UTC(2026, 0, 1, 12), reader)}</p>` });
  for (const [timeZone, hour] of [
    ['Europe/Berlin', '1:00'],
    ['America/New_York', '7:00'],
  ] as const) {
    const { page } = await openBrowser(t, { timeZone });
    await page.goto(url);
    const time = page.locator('time');
    assert.match((await time.textContent()) ?? '', new RegExp(`Jan 1, 2026, ${hour}\\s[AP]M`));
    assert.match((await time.getAttribute('title')) ?? '', /12:00\sPM UTC/);
  }
});

test('a list says how long ago a moment of the last week was, counts on, and names the moment', {
  skip,
}, async (t) => {
  const now = Date.UTC(2026, 0, 20, 12);
  const moments = [now - 30_000, now - 3 * 3_600_000, now + 90_000, now - 8 * 86_400_000];
  const columns = [{ heading: 'When', cell: (ms: number) => shownTime(ms, reader) }];
  const url = await serve(t, { '/': table({ caption: 'x', columns, rows: moments, whenEmpty: '' }) });
  const { page } = await openBrowser(t, { timeZone: 'Europe/Berlin' });
  await page.clock.install({ time: now });
  await page.goto(url);
  const times = page.locator('tbody time');
  const minutes = ['this minute', '3 hours ago', 'in 1 minute', 'Jan 12, 2026, 1:00 PM'];
  const spaced = async () => (await times.allTextContents()).map((text) => text.replace('\u202f', ' '));
  assert.deepEqual(await spaced(), minutes);
  assert.match((await times.nth(1).getAttribute('title')) ?? '', /^Jan 20, 2026, 10:00\sAM$/);
  await page.clock.runFor(61_000);
  assert.deepEqual((await spaced()).slice(0, 3), ['1 minute ago', '3 hours ago', 'this minute']);
});

test('without scripts a time is in UTC, and a password has no button', { skip }, async (t) => {
  const field = lineField(reader, { name: 'p', label: 'P', type: 'password' });
  const url = await serve(t, { '/': html`<h1>x</h1>${shownTime(0, reader)}${field}` });
  const { page } = await openBrowser(t, { scripts: false });
  await page.goto(url);
  assert.match(await page.locator('main').innerText(), /12:00\sAM UTC/);
  assert.equal(await page.locator('main button').count(), 0);
});

test('a password can be shown, and is sent as a password', { skip }, async (t) => {
  const field = lineField(reader, { name: 'p', label: 'Password', type: 'password' });
  const sent: string[] = [];
  const url = await serve(t, {
    '/': html`<h1>x</h1>${changeForm(reader, { action: '/sent', fields: field, submit: 'Save' })}`,
    '/sent': async (request, response) => {
      sent.push(await textOf(request));
      response.end('sent');
    },
  });
  const { page } = await openBrowser(t);
  await page.goto(url);
  const input = page.getByLabel('Password');
  await input.fill('correct horse');
  await page.getByRole('button', { name: 'Show' }).click();
  assert.equal(await input.getAttribute('type'), 'text');
  await page.getByRole('button', { name: 'Hide' }).click();
  assert.equal(await input.getAttribute('type'), 'password');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.evaluate("document.querySelector('main form').dispatchEvent(new Event('submit'))");
  assert.equal(await input.getAttribute('type'), 'password');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL('**/sent');
  assert.deepEqual(sent, ['formToken=the+token&p=correct+horse']);
});

test('the strength of a new password is asked for in a body, and told', { skip }, async (t) => {
  const field = lineField(reader, { name: 'p', label: 'P', type: 'password', strengthUrl: '/strength' });
  const asked: string[] = [];
  const url = await serve(t, {
    '/': html`<h1>x</h1>${changeForm(reader, { action: '/sent', fields: field, submit: 'Save' })}`,
    '/strength': async (request, response) => {
      asked.push(`${request.method} ${request.url} ${await textOf(request)}`);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ level: 1, sentence: 'A common <word>.' }));
    },
  });
  const { page } = await openBrowser(t);
  await page.goto(url);
  await page.locator('#field-p').fill('password');
  await page.getByText('A common <word>.').waitFor();
  assert.equal(await page.locator('.strength').getAttribute('data-level'), '1');
  assert.deepEqual(asked, ['POST /strength formToken=the+token&password=password']);
  await page.locator('#field-p').fill('');
  await page.locator('.strength:empty').waitFor({ state: 'attached' });
});

test('a text to copy has a button that copies it', { skip }, async (t) => {
  const url = await serve(t, { '/': html`<h1>x</h1>${copyText(reader, 'tsk_1')}` });
  const { page, context } = await openBrowser(t);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(url);
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), 'tsk_1');
});

test('codes to keep can be downloaded and printed, without the buttons', { skip }, async (t) => {
  const url = await serve(t, { '/': html`<h1>x</h1>${copyText(reader, 'one\ntwo', 'codes.txt')}` });
  const { page } = await openBrowser(t);
  await page.goto(url);
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  assert.equal(saved.suggestedFilename(), 'codes.txt');
  assert.equal(await textOf(await saved.createReadStream()), 'one\ntwo\n');
  await page.emulateMedia({ media: 'print' });
  assert.deepEqual(
    await Promise.all(['code', 'button >> nth=0'].map((each) => page.locator(each).isVisible())),
    [true, false],
  );
});

test('the summary of faults has the focus, and leads to the input', { skip }, async (t) => {
  const field = lineField(reader, { name: 'p', label: 'P', fault: 'Wrong' });
  const url = await serve(t, {
    '/': html`<h1>x</h1>${faultSummary([{ field: 'p', sentence: 'Wrong' }])}${field}`,
  });
  const { page } = await openBrowser(t);
  await page.goto(url);
  assert.equal(await page.evaluate("document.activeElement.getAttribute('role')"), 'alert');
  await page.getByRole('link', { name: 'Wrong' }).click();
  assert.equal(await page.evaluate('document.activeElement.id'), 'field-p');
});

const columns = [{ heading: 'Name', cell: (name: string) => name }];

/** Counts the messages that the page has seen. */
const COUNTED = `
window.seen = 0;
const { EventSource: Source } = window;
window.EventSource = class extends Source {
  constructor(url) {
    super(url);
    this.addEventListener('rows', () => window.seen++);
  }
};`;

test('new rows stand on top of a list, and wait while the reader pauses it', { skip }, async (t) => {
  let stream: ServerResponse | undefined;
  const tail = { url: '/tail', say: reader.say };
  const url = await serve(t, {
    '/': html`<h1>x</h1>${table({ caption: 'Names', columns, rows: ['old'], whenEmpty: 'None', tail })}`,
    '/tail': (_, response) => {
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
      stream.flushHeaders();
    },
  });
  const send = (name: string) =>
    stream?.write(
      `event: rows\ndata: ${JSON.stringify({ rows: String(tableRows({ columns, rows: [name] })) })}\n\n`,
    );
  const { page } = await openBrowser(t);
  await page.addInitScript(COUNTED);
  const opened = page.waitForResponse('**/tail');
  await page.goto(url);
  await opened;
  const names = () => page.locator('tbody th').allTextContents();
  send('<new>');
  await page.getByText('<new>').waitFor();
  assert.deepEqual(await names(), ['<new>', 'old']);
  const sign = page.getByText('New events appear as they happen');
  assert.equal(await sign.isVisible(), true);
  await page.getByRole('button', { name: 'Pause' }).click();
  assert.equal(await sign.isVisible(), false);
  send('newer');
  await until('the page has seen the second message', async () => (await page.evaluate('seen')) === 2);
  assert.deepEqual(await names(), ['<new>', 'old']);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('newer').waitFor();
  assert.deepEqual(await names(), ['newer', '<new>', 'old']);
});

test('a list follows its filter while the reader types, and the address keeps the filter', {
  skip,
}, async (t) => {
  const names = ['anna', 'bert'];
  const listed = (asked: string) => {
    const fields = lineField(reader, { name: 'q', label: 'Name', isOptional: true, value: asked });
    const rows = names.filter((name) => name.includes(asked));
    return html`<h1>x</h1>${filterForm(reader, { action: '/names', fields, results: 'results' })}
<div id="results">${table({ caption: 'Names', columns, rows, whenEmpty: 'None' })}</div>`;
  };
  const url = await serve(t, {
    '/names': (request, response) => {
      const asked = new URL(request.url as string, 'http://localhost').searchParams.get('q') ?? '';
      sendPage(response, listed(asked));
    },
  });
  const { page } = await openBrowser(t);
  await page.goto(`${url}/names`);
  await page.getByRole('textbox', { name: 'Name' }).pressSequentially('be');
  await page.getByRole('rowheader', { name: 'anna' }).waitFor({ state: 'detached' });
  assert.deepEqual(await page.locator('tbody th').allTextContents(), ['bert']);
  await page.waitForURL('**/names?q=be');
  // The reader goes on typing where the cursor was.
  assert.equal(await page.evaluate('document.activeElement.id'), 'field-q');
});

test('a list that is filtered anew ends its stream and follows another one', { skip }, async (t) => {
  const streams = new Set<string>();
  const url = await serve(t, {
    '/names': (request, response) => {
      const asked = new URL(request.url as string, 'http://localhost').searchParams.get('q') ?? '';
      const fields = lineField(reader, { name: 'q', label: 'Name', isOptional: true, value: asked });
      const tail = { url: `/tail?q=${asked}`, say: reader.say };
      const list = table({ caption: 'Names', columns, rows: [asked], whenEmpty: 'None', tail });
      sendPage(
        response,
        html`<h1>x</h1>${filterForm(reader, { action: '/names', fields, results: 'results' })}<div id="results">${list}</div>`,
      );
    },
    '/tail': (request, response) => {
      const opened = request.url as string;
      streams.add(opened);
      response.on('close', () => streams.delete(opened));
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    },
  });
  const { page } = await openBrowser(t);
  await page.goto(`${url}/names`);
  await until('the first stream is open', () => streams.has('/tail?q='));
  await page.getByRole('textbox', { name: 'Name' }).fill('be');
  await until('the second stream is open', () => streams.has('/tail?q=be'));
  await until('the first stream is closed', () => streams.size === 1);
});
