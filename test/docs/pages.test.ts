import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { completableProgram } from '../../src/faces/cli/completion/completable.ts';
import { commandLine } from '../../src/main/command-line.ts';
import { SETTINGS } from '../../src/main/settings.ts';
import { blocksIn } from './page.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const textOf = (file: string) => readFileSync(`${ROOT}${file}`, 'utf8');
const pagesIn = (...folders: string[]) =>
  folders.flatMap((folder) => globSync(`${folder}/*.md`, { cwd: ROOT }));

test('a how-to page begins with what its reader has at the end', () => {
  for (const page of pagesIn('docs/how-to'))
    assert.match(textOf(page), /^# .+\n\nAt the end of this page /, page);
});

/** The text of every test that plays pages, but for this one. */
const players = globSync(['test/{docs,deploy,publish,capabilities,tools,faces}/**/*.test.ts'], { cwd: ROOT })
  .filter((file) => !file.endsWith('/pages.test.ts'))
  .map(textOf)
  .join('\n');

test('the commands of a how-to page are run by a test, or the page says at its top that none can', () => {
  for (const page of pagesIn('docs/how-to')) {
    const blocks = blocksIn(textOf(page), 'sh');
    // Blocks with a server are all started by servers.slow.test.ts.
    const isPlayed = players.includes(basename(page)) || blocks.some((block) => /tessera serve/.test(block));
    const [top = ''] = textOf(page).split('\n```');
    if (blocks.length > 0 && !isPlayed) assert.match(top, /^No test runs the lines of this page/m, page);
  }
});

/** The tests that play pages whose names say little. */
const PLAYED_BY: Readonly<Record<string, string>> = {
  'README.md': 'test/docs/readme.test.ts',
  'docs/start/README.md': 'test/docs/start.test.ts',
};
/** A line that runs a script of the project or one of its tests: what a check of a change runs, or a measure. */
const OF_PROJECT = /^(?:[A-Z_]+=\S+ )*(?:npm (?:ci|test)$|npm run ([\w:-]+)|bin\/node --test )/;

test('the commands of all other pages are run by a test, are scripts of the project, or the page says at its top that none can', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  for (const page of [
    'README.md',
    'CONTRIBUTING.md',
    ...pagesIn('docs', 'docs/start', 'docs/why', 'docs/reference', 'deploy'),
  ]) {
    const player = PLAYED_BY[page];
    if (player !== undefined) assert.ok(textOf(player).includes(basename(page)), page);
    if (player !== undefined) continue;
    const lines = blocksIn(textOf(page), 'sh').flatMap((block) => block.replace(/ +#.*$/gm, '').split('\n'));
    const others = lines.filter((line) => line !== '' && !OF_PROJECT.test(line));
    for (const line of lines) {
      const script = OF_PROJECT.exec(line)?.[1];
      assert.ok(script === undefined || script in scripts, `${page}: ${line}`);
    }
    if (others.length > 0)
      assert.match(
        textOf(page).split('\n```')[0] ?? '',
        /no (?:test|check) [\w ]*runs\s|Never run in the tests/i,
        `${page}: ${others[0]}`,
      );
  }
});

test('a page of a decision says what is open, what was decided, why, what it costs, and where it is', () => {
  for (const page of pagesIn('docs/why').filter((each) => basename(each) !== 'README.md')) {
    const parts = [...textOf(page).matchAll(/^\*\*(Open|Decided|Why|Costs|In the code)\.\*\*/gm)];
    assert.equal(parts.map(([, part]) => part).join(), 'Open,Decided,Why,Costs,In the code', page);
  }
});

test('the index leads to every page', () => {
  const index = textOf('docs/README.md');
  const shown = [...index.matchAll(/\]\(([^)]+\.md)\)/g)].map(([, page]) => `docs/${page}`);
  for (const page of pagesIn('docs', 'docs/start', 'docs/how-to', 'docs/reference'))
    assert.ok(page === 'docs/README.md' || shown.includes(page), `docs/README.md does not lead to ${page}`);
});

/** Each block of shell on a page that readers type from, with its page. */
const typed = ['README.md', ...pagesIn('docs/start', 'docs/how-to', 'deploy')].flatMap((page) =>
  blocksIn(textOf(page), '(?:sh|text)').map((block) => ({ page, block })),
);

/** A file that a line of shell writes, if it has a secret or hashes in it. */
const SECRET =
  /(?:>|-keyout) *"?([^\s"|&>]*(?:keys?|secrets?|password|users\.ndjson|-rules\.json))"?(?=[\s)]|$)/;

test('no page has its reader write a secret into a file that others can read meanwhile', () => {
  const writing = typed.filter(({ block }) => SECRET.test(block));
  assert.ok(writing.length > 8);
  for (const { page, block } of writing) {
    const [before = ''] = block.split(SECRET);
    // openssl makes key files that only their owner reads, and mktemp such folders.
    assert.match(before, /umask 0?77|install -d -m 0700|mktemp -d|openssl req/, `${page}: ${block}`);
  }
});

test('git ignores what the pages have their readers write into the checkout', () => {
  const written = typed.flatMap(({ block }) =>
    [...block.matchAll(/ (?:>|-keyout|-out) ([\w.-]+)(?=[\s)]|$)/g)].map(([, file = '']) => file),
  );
  const saved = pagesIn('docs/start', 'docs/how-to').flatMap((page) =>
    [...textOf(page).matchAll(/(?:[Ss]ave this as|document, such as|file, such as) `([\w.-]+)`/g)].map(
      ([, file = '']) => file,
    ),
  );
  const files = [...new Set([...written, ...saved])];
  for (const file of ['ops.key', 'siem.secret', 'tls.key', 'users.ndjson', 'changes.json', 'Caddyfile'])
    assert.ok(files.includes(file), file);
  const ignored = execFileSync('git', ['check-ignore', '--no-index', ...files], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  assert.deepEqual(ignored.trim().split('\n').sort(), files.toSorted());
});

/** What stands in code marks, begins like a command, and is none. */
const NO_COMMANDS = ['tickets of two users'];

test('each command that a sentence of the documents names exists, with its options', async () => {
  const program = completableProgram(await commandLine([], process), SETTINGS);
  const commands = new Map(program.commands.map((command) => [command.path, command]));
  const withBelow = program.commands[0]?.commands
    .map(({ name }) => name)
    .filter((name) => commands.get(name)?.commands.length !== 0);
  // Code of the pages of promises is names of tests.
  const pages = ['README.md', 'ARCHITECTURE.md', ...pagesIn('docs', 'docs/{start,how-to,why,reference}')];
  const named = pages.flatMap((page) =>
    [...textOf(page).matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) => {
      const command = /^(?:bin\/)?tessera (?:--(?:server|key-file) \S+ )*(?=[a-z])(.*)/.exec(code)?.[1];
      const isBare = withBelow?.some((name) => code.startsWith(`${name} `)) && !NO_COMMANDS.includes(code);
      return (command ?? isBare) ? [{ page, code, words: (command ?? code).split(' ') }] : [];
    }),
  );
  assert.ok(named.length > 150, `${named.length}`);
  for (const { page, code, words } of named) {
    let [path = '', ...rest] = words;
    while (commands.get(path)?.commands.length && /^[a-z]/.test(rest[0] ?? '')) path += ` ${rest.shift()}`;
    const options = commands.get(path)?.options.map(({ name }) => name);
    assert.ok(options, `${page}: no command is ${code}`);
    for (const [option] of rest.join(' ').matchAll(/(?<=^| )--[\w-]+/g))
      assert.ok(options.includes(option), `${page}: no option is ${option} in ${code}`);
  }
});
