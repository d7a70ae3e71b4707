import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { PAGES, placeOf, UNTRACKED } from '../../docs/generate.ts';
import { anchorOf } from '../../docs/site/markdown.ts';
import { PLACE_VARIABLES } from '../../src/core/settings/read.ts';
import { variableOf } from '../../src/core/settings/table.ts';
import { refusalsOf } from '../../src/faces/description/openapi/responses.ts';
import { operations } from '../../src/main/operations.ts';
import { SETTINGS } from '../../src/main/settings.ts';

const MEND = "run 'npm run docs' and commit what it writes";
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const markdownIn = (folder: string) =>
  readdirSync(join(ROOT, folder), { encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(folder, file));
const FOLDERS = [
  '.',
  'bench',
  'conformance',
  'deploy',
  'docs',
  'docs/how-to',
  'docs/reference',
  'docs/start',
  'docs/why',
  'docs/why/promises',
];
const documents = [...FOLDERS.flatMap(markdownIn), ...globSync('src/**/README.md', { cwd: ROOT })];
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');

for (const [file, page] of Object.entries(PAGES)) {
  test(`docs/reference/${file} says what the source says`, () => {
    const place = placeOf(file);
    const kept = existsSync(place) ? readFileSync(place, 'utf8') : '';
    assert.ok(kept === page(), `docs/reference/${file} is stale: ${MEND}`);
  });
}

/** What is written by hand there. */
const WRITTEN = [
  ...[
    'asvs.md',
    'http.md',
    'nist-sp-800-63b-4.md',
    'openssf.md',
    'rfc-9700.md',
    'stability.md',
    'telemetry.md',
  ],
  'verifiers.md',
];

test('every other page in docs/reference/ is made from the source', () => {
  assert.deepEqual(
    readdirSync(join(ROOT, 'docs/reference'))
      .filter((file) => !file.endsWith('.ts') && !(file in UNTRACKED))
      .map((file) => `docs/reference/${file}`)
      .sort(),
    [...Object.keys(PAGES), ...WRITTEN].map((file) => `docs/reference/${file}`).sort(),
  );
});

/** The anchors that forges make of a document's headings. */
const anchorsIn = (file: string) =>
  [...textOf(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

test('every link in the documents leads to a file that is there, and to a heading in it', () => {
  for (const file of documents) {
    for (const [link, target = '', anchor] of textOf(file).matchAll(
      /\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g,
    )) {
      const place = target === '' ? file : join(dirname(file), target);
      assert.ok(existsSync(join(ROOT, place)), `${file} has ${link}`);
      assert.ok(anchor === undefined || anchorsIn(place).includes(anchor), `${file} has ${link}`);
    }
  }
});

test('every file of the project that the documents name is there', () => {
  for (const file of documents) {
    // A file before the name of a test is below test/, as it was called at its commit: the table of defects has a test of its own.
    for (const [, named = ''] of textOf(file).matchAll(/`((?:src|test|bin|docs|bench)\/[\w./-]+)`(?!: `)/g)) {
      assert.ok(existsSync(join(ROOT, named)), `${file} names ${named}`);
    }
  }
});

/** What is deployed, beside its documents: whoever names a setting there that is none starts nothing. */
const deployed = globSync('deploy/**/*', { cwd: ROOT, withFileTypes: true })
  .filter((entry) => entry.isFile() && !entry.name.endsWith('.md'))
  .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));

test('every setting that the documents and the files of a deployment name can be set', () => {
  const variables = SETTINGS.keys.map(variableOf);
  const secretFiles = SETTINGS.keys
    .filter((key) => SETTINGS.isSecret(key))
    .map((key) => `${variableOf(key)}_FILE`);
  const known = new Set([
    ...variables,
    ...secretFiles,
    'TESSERA_CONFIG',
    'TESSERA_TEST_ALL',
    ...Object.values(PLACE_VARIABLES),
  ]);
  assert.ok(deployed.length > 5);
  for (const file of [...documents, ...deployed]) {
    // What a block of text shows was printed, and may name what there is not.
    const said = textOf(file).replace(/^```text\n[\s\S]*?^```$/gm, '');
    for (const [named] of said.matchAll(/TESSERA_[A-Z]+(?:_[A-Z]+)*(?![A-Z_])/g)) {
      assert.ok(known.has(named), `${file} names ${named}, which is no setting`);
    }
  }
});

test('every decision stands in the index', () => {
  const index = textOf('docs/why/README.md');
  for (const file of markdownIn('docs/why')) {
    const name = file.slice('docs/why/'.length);
    if (name !== 'README.md') assert.ok(index.includes(`](${name})`), `${name} is missing in the index`);
  }
});

test('the page about refused logins explains every refusal of a login', () => {
  const page = textOf('docs/how-to/refused-login.md');
  const logins = operations.filter(({ takesPassword }) => takesPassword !== undefined);
  assert.notEqual(logins.length, 0);
  for (const refused of logins.flatMap(refusalsOf)) {
    assert.ok(page.includes(`\`${refused}\``), `${refused} is not explained`);
  }
});

/** Where the true reasons of refusals are written: the gate, the password check with its verifiers, and operations. */
const REASONS = [
  'core/{gate,identity,operations}/**/*.ts',
  'capabilities/*/{verifier,recheck,exchange,rules-first,external-user}.ts',
  'capabilities/*/operations/**/*.ts',
  'capabilities/migration/{shadow,foreign}/*.ts',
  'capabilities/factors/{app-passwords,second-factor}/*.ts',
];

test('the page about refused logins explains every true reason of a refusal', () => {
  const source = globSync(REASONS, { cwd: join(ROOT, 'src') })
    .map((file) => textOf(join('src', file)))
    .join('');
  const [, ofFailures = ''] = /function failureReason(.*?)^}/ms.exec(source) ?? assert.fail();
  const [, ofTickets = ''] = /TICKET_REASONS: .*?= \{(.*?)\}/s.exec(source) ?? assert.fail();
  const reasons = [
    ...source.matchAll(/\b(?:reason|dead): ['`](.+?)(?: \$\{.*)?['`]/g),
    ...ofFailures.matchAll(/'(.+?)'/g),
    ...ofTickets.matchAll(/(\w+): true/g),
  ].map(([, reason = '']) => reason);
  // Those of locks stand with the events.
  const page = textOf('docs/how-to/refused-login.md') + textOf('docs/reference/telemetry.md');
  assert.ok(reasons.length > 20);
  for (const reason of reasons) assert.ok(page.includes(`\`${reason}\``), `${reason} is not explained`);
});
