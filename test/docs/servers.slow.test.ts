import assert from 'node:assert/strict';
import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { BIN } from '../faces/cli/command.ts';
import { certified } from '../service/certified.ts';
import { temporaryFolder } from '../service/start.ts';
import { blocksIn, pageAt, serveAsPrinted } from './page.ts';

/** Pages whose servers need a database or a backup. The tests of these pages start them. */
const STARTED_ELSEWHERE = ['back-up.md', 'back-up-postgresql.md', 'move-to-postgresql.md'].map(
  (page) => `how-to/${page}`,
);

/** The file that each of these pages has its reader save before the start: the first JSON of the page. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  'how-to/add-action.md': 'actions.json',
  'how-to/protect-a-page.md': 'rules.json',
  'how-to/sign-in-with-a-provider.md': 'providers.json',
  'how-to/webhooks.md': 'webhooks.json',
  'how-to/who-may-reach-what.md': 'gate-rules.json',
  'start/walk.md': 'rules.json',
};

const isServer = (block: string) => /\b(?:tessera serve|npm start)\b/.test(block);

/** Each block with a server, behind the settings that blocks above it export. */
const SERVERS = globSync(['how-to/*.md', 'start/*.md'], { cwd: join(BIN, '../docs') })
  .filter((page) => !STARTED_ELSEWHERE.includes(page))
  .flatMap((page) => {
    const blocks = blocksIn(pageAt(page), 'sh');
    return blocks.flatMap((block, at) => {
      const exported =
        blocks
          .slice(0, at)
          .join('')
          .match(/^export .*\n/gm) ?? [];
      return isServer(block) ? [{ page, block, commands: [...exported, block].join('') }] : [];
    });
  });

test('the pages start servers in more than twenty places', () => assert.ok(SERVERS.length > 20));

for (const { page, block, commands } of SERVERS) {
  test(`${page}: the server starts as printed: ${block.trim().split('\n').at(-1)?.trim()}`, async (t) => {
    const folder = await temporaryFolder(t);
    const write = (name: string, text: string | Buffer) =>
      writeFileSync(join(folder, name), text, { mode: 0o600 });
    mkdirSync(join(folder, 'etc'));
    const { key, cert } = certified(t);
    write('etc/tls.key', key);
    write('etc/tls.crt', cert);
    write('etc/settings.json', '{}');
    write('example.secret', 'the secret of the client');
    write('siem.secret', `whsec_${Buffer.alloc(32).toString('base64')}`);
    const [document = ''] = blocksIn(pageAt(page), 'json');
    const name = DOCUMENTS[page];
    if (name !== undefined) write(name, document);
    const here = commands
      .replaceAll('/etc/tessera', join(folder, 'etc'))
      .replaceAll('/var/lib/tessera', join(folder, 'data'))
      .replaceAll('/run/tessera', folder)
      .replaceAll('10.0.0.7', '127.0.0.1')
      // The receiver and the provider of these pages are nowhere.
      .replace(/^bin\/tessera (?:webhooks test|providers check).*\n/gm, '');
    assert.match(await serveAsPrinted(t, here, folder), /^(?:https?|unix):/);
  });
}
