import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { BIN, shell } from '../faces/cli/command.ts';
import { temporaryFolder } from '../service/start.ts';
import { blocksIn, pageAt, serveAsPrinted } from './page.ts';

const README = pageAt('../README.md');
const textOf = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const PEERS = /<!-- peers -->[\s\S]*<!-- \/peers -->/.exec(textOf('docs/performance.md'))?.[0] ?? '';

/** The validations a second of a service, with the two leading digits that the README gives. */
function validationsOf(service: string): string {
  const row = PEERS.split('\n').find((line) => line.startsWith(`| ${service} |`));
  const measured = row?.split('|')[2]?.replace(',', '') ?? assert.fail(`no row of ${service}`);
  return Number(Number(measured).toPrecision(2)).toLocaleString('en-US');
}

test('the figures of the README are those of the table of services', () => {
  const readme = README.replace(/\s+/g, ' ');
  const sentence = [
    `${validationsOf('Tessera')} validations a second,`,
    `where better-auth gives ${validationsOf('better-auth, SQLite')}`,
    `(${validationsOf('better-auth, SQLite, cookie cache')} with its cookie cache),`,
    `parse-server ${validationsOf('parse-server, PostgreSQL')}`,
    `and oidc-provider ${validationsOf('oidc-provider, introspection')}.`,
  ].join(' ');
  assert.ok(readme.includes(sentence), `README.md does not say: ${sentence}`);
});

test('the README is short', () => {
  assert.ok(README.split('\n').length <= 121);
});

const TICKET = /TICKET_[0-9a-f]{40}/g;

test('the first login of the README: the service starts, and its curl lines log in, use the ticket and end it', async (t) => {
  const folder = await temporaryFolder(t);
  const [starting = '', logging = '', using = ''] = blocksIn(README, 'sh');
  const url = await serveAsPrinted(t, starting, folder, { TESSERA_ADMIN_PASSWORD: '' });
  const run = async (block: string) => {
    const { stdout, code } = await shell(`set -e\n${block.replaceAll('http://127.0.0.1:8080', url)}`, {
      cwd: folder,
    });
    assert.equal(code, 0);
    return stdout;
  };
  const login = await run(logging);
  const [ticket = assert.fail(login)] = login.match(TICKET) ?? [];
  assert.equal(`${login.replace(TICKET, '')}\n`, blocksIn(README, 'json')[0]?.replace(TICKET, ''));
  const used = await run(using.replace(TICKET, ticket));
  assert.match(
    used,
    new RegExp(`<ticket>${ticket}[\\s\\S]*"name":"mail"[\\s\\S]*${ticket}[\\s\\S]*HTTP/1.1 401 `),
  );
});

test('npm warns of nothing at the set-up, whatever Node it runs under', async (t) => {
  const folder = await temporaryFolder(t);
  for (const file of ['package.json', 'package-lock.json', '.npmrc'])
    copyFileSync(join(BIN, '..', file), join(folder, file));
  const { stderr } = await promisify(execFile)('npm', ['ci', '--dry-run', '--offline'], { cwd: folder });
  assert.equal(stderr, '');
});
