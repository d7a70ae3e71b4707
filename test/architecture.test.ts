import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { BETWEEN, FLOORS, MAY_IMPORT } from './may-import.ts';

const SRC = fileURLToPath(new URL('../src/', import.meta.url));
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
/** The package that the command line plays cases with: it knows nothing of src/. */
const player = readdirSync(join(SRC, '../conformance/player'), { encoding: 'utf8' }).map(
  (file) => `../conformance/player/${file}`,
);
const all = [...files, ...player];
const sourceOf = (file: string) => readFileSync(join(SRC, file), 'utf8');
const linesOf = (file: string) => sourceOf(file).split('\n').length - 1;

/** A declaration of a type or a class at the top level of a file. */
const DECLARED = /^(?:export )?(?:abstract )?(?:interface|type|class) (\w+)/gm;

/** The rooms whose folders and files are modules of their own. */
const SPLIT = ['core', 'engines', 'faces', 'capabilities', 'tools'];

/** The room of a file: its folder directly below src/. */
const roomOf = (file: string) => file.replace(/^\.\.\//, '').split('/')[0] as string;

/** The module of a file: a part of its room, or the room itself. */
function moduleOf(file: string): string {
  const room = roomOf(file);
  return SPLIT.includes(room) ? file.split('/').slice(0, 2).join('/').replace(/\.ts$/, '') : room;
}

/** The files of src/ that a file imports, and the packages. */
function importsOf(file: string): { own: string[]; foreign: string[] } {
  const named = [...sourceOf(file).matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(
    ([, name]) => name as string,
  );
  const own = named
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(SRC, join(SRC, dirname(file), name)));
  return { own, foreign: named.filter((name) => !name.startsWith('.')) };
}

test('only the command line performs operations without a credential', () => {
  const importing = (imported: string) =>
    files.filter((file) => importsOf(file).own.includes(imported) && file !== 'core/gate/local.ts');
  const byValue = importing('core/gate/local.ts').filter((file) =>
    /^import \{[^}]*\bLocalGate\b[^}]*\} from/m.test(sourceOf(file)),
  );
  assert.deepEqual(byValue, ['main/runner-here.ts']);
  assert.deepEqual(importing('main/runner-here.ts'), ['main/command-line.ts']);
});

test('every module imports only from modules that the table allows', () => {
  for (const file of all) {
    const module = moduleOf(file);
    if (module === 'main') continue;
    const allowed = [module, ...(MAY_IMPORT[module] ?? assert.fail(`${file} is in no module of the table`))];
    for (const imported of importsOf(file).own) {
      assert.ok(allowed.includes(moduleOf(imported)), `${file} may not import ${imported}`);
    }
  }
});

test('every module imports from each module that the table allows', () => {
  for (const [module, allowed] of Object.entries(MAY_IMPORT)) {
    const own = all.filter((file) => moduleOf(file) === module).flatMap((file) => importsOf(file).own);
    const known = new Set(own.map(moduleOf));
    for (const other of allowed)
      assert.ok(known.has(other), `${module} imports nothing of ${other}: take it out of the table`);
  }
});

test('arrows between the rooms go down only, and between capabilities only those that are named', () => {
  for (const [module, allowed] of Object.entries(MAY_IMPORT))
    for (const other of allowed) {
      const [room, name = ''] = module.split('/') as [string, string?];
      const [below, neighbour = ''] = other.split('/') as [string, string?];
      const isContract = other === 'capabilities/capability';
      const isNamed = room === below && (isContract || BETWEEN[name]?.includes(neighbour) === true);
      const isDown = isNamed || FLOORS[room]?.includes(below) === true;
      assert.ok(isDown, `${module} may not import ${other}`);
    }
});

test('at most 6 files outside of its folder import a capability, without main; people is for others to import', () => {
  const names = new Set(
    files.map((file) => /^capabilities\/([\w-]+)\//.exec(file)?.[1]).filter((name) => name !== undefined),
  );
  for (const name of names) {
    if (name === 'people') continue;
    const folder = `capabilities/${name}/`;
    const importing = files.filter(
      (file) =>
        !file.startsWith(folder) &&
        !file.startsWith('main/') &&
        importsOf(file).own.some((imported) => imported.startsWith(folder)),
    );
    assert.ok(importing.length <= 6, `${name} is imported by ${importing.join(', ')}`);
  }
});

test('of a capability, its tables alone import an engine, and the contract names their type', () => {
  for (const file of files.filter((name) => /^capabilities\/(?!capability\.ts|.*\/tables\/)/.test(name)))
    for (const imported of importsOf(file).own)
      assert.notEqual(roomOf(imported), 'engines', `${file} imports ${imported}`);
});

test('no file imports itself by way of others, not even for a type', () => {
  const importing: string[] = [];
  const done = new Set<string>();
  const walk = (file: string) => {
    const from = importing.indexOf(file);
    assert.equal(from, -1, `a circle: ${[...importing.slice(from), file].join(' → ')}`);
    if (done.has(file)) return;
    importing.push(file);
    for (const imported of importsOf(file).own) walk(imported);
    importing.pop();
    done.add(file);
  };
  for (const file of all) walk(file);
});

test('the client takes types alone from elsewhere: what runs of it runs anywhere', () => {
  for (const file of files.filter((name) => moduleOf(name) === 'client')) {
    const running = stripTypeScriptTypes(sourceOf(file));
    for (const [, name = ''] of running.matchAll(/(?:from|import\()\s*'([^']+)'/g))
      assert.match(name, /^\.\/[\w-]+\.ts$/, `${file} imports ${name}`);
  }
});

test('what the schema library makes schemas with is never loaded: it takes a fifth of a start', () => {
  for (const file of files)
    assert.doesNotMatch(stripTypeScriptTypes(sourceOf(file)), /from 'typebox'/, `${file} loads all of it`);
});

/** Everything that is loaded with a file: its static imports, and theirs. */
function loadedWith(file: string, loaded = new Set<string>()): Set<string> {
  const running = stripTypeScriptTypes(sourceOf(file));
  for (const [, name = ''] of running.matchAll(/^(?:import|export) (?:[^;'=(]*? from )?'([^']+)'/gm)) {
    const imported = name.startsWith('.') ? relative(SRC, join(SRC, dirname(file), name)) : name;
    if (loaded.has(imported)) continue;
    loaded.add(imported);
    if (imported.endsWith('.ts')) loadedWith(imported, loaded);
  }
  return loaded;
}

test('no start and no command waits for a package that it may never need', () => {
  const commands = files.filter((file) =>
    /export const \w+Command\b|export function \w+Command\b/.test(sourceOf(file)),
  );
  const withCommands = new Set(commands.flatMap((file) => [...loadedWith(file)]));
  for (const name of ['pino', 'negotiator', 'fastify', 'typebox'])
    assert.ok(!withCommands.has(name), `${name} is loaded by each command`);
  const starts = [...commands, ...files.filter((file) => /^main\/(main\.ts$|workers\/)/.test(file))];
  const loaded = new Set(starts.flatMap((file) => [...loadedWith(file)]));
  for (const name of ['fastify', 'commander', 'node:sqlite']) assert.ok(loaded.has(name), name);
  for (const name of [
    '@node-rs/bcrypt',
    'hash-wasm',
    'bowser',
    '@zxcvbn-ts/core',
    '@zxcvbn-ts/language-common',
    'csv-parse',
    'prom-client',
    'openid-client',
    'oidc-provider',
    'jose',
    'ldapts',
    '@simplewebauthn/server',
    'otpauth',
    'qr',
    '@opentelemetry/sdk-trace',
  ])
    assert.ok(!loaded.has(name), `${name} is loaded before anybody needs it`);
});

test('operations and the domain know no machine: they import nothing of Node', () => {
  for (const file of files.filter((name) => /(^|\/)(operations|domain)\//.test(name))) {
    for (const name of importsOf(file).foreign)
      assert.ok(!name.startsWith('node:'), `${file} imports ${name}`);
  }
});

/** What opens transactions: the gate and the checks of credentials, commands, tools, and what runs before an operation or in the background. */
const OPENS_TRANSACTIONS = [
  /^core\/(gate|identity|storage)\/|^core\/first-start\.ts$/,
  /^(engines|main|tools|faces\/cli)\//,
  /^capabilities\/(webhooks|migration)\/|^capabilities\/\w[\w-]*\/(.*\/)?(assembly|verifier|commands|commands\/.*)\.ts$|\/commands\//,
  // The library asks for one thing after another.
  /^capabilities\/oidc-provider\/units\.ts$/,
  /^capabilities\/(ldap\/(recheck|passwords)|mail\/delivery|people\/external-user|action-definitions\/nodes\/import)\.ts$/,
];

test('operations, pages and HTTP open no transaction: only those that are named here do', () => {
  const opens = files.filter((file) => /\bstore\.(read|write)\(/.test(sourceOf(file)));
  assert.deepEqual(
    opens.filter((file) => !OPENS_TRANSACTIONS.some((place) => place.test(file))),
    [],
  );
});

/** A change of a user or a group, or of what belongs to one. */
const PEOPLE_CHANGE = new RegExp(
  `(?:await|return|=>) (?:\\w+\\.)?(?:${[
    'users\\.(?:add|change|rename|remove)',
    'groups\\.(?:add|change|remove|(?:add|remove)(?:User|Group))',
    'roles\\.give|profiles\\.put|externalIds\\.put|externalIdentities\\.put',
  ].join('|')})\\(|generation \\+ 1`,
);

test('users and groups change by the rules of people/ alone, but for the lock-out and what the core has to', () => {
  const changing = files.filter((file) => roomOf(file) !== 'engines' && PEOPLE_CHANGE.test(sourceOf(file)));
  assert.deepEqual(changing.filter((file) => !file.startsWith('capabilities/people/')).sort(), [
    // The marks of second factors.
    'capabilities/factors/rules/second-factors.ts',
    // What disabling means.
    'core/domain/user.ts',
    'core/first-start.ts',
    // The lock-out, and the renewed hash of a right password.
    'core/identity/record-login-outcome.ts',
  ]);
});

test('only those that are named here change people without keeping an administrator, or keep one themselves', () => {
  const isRule = (file: string) => file.startsWith('capabilities/people/rules/');
  const using = (pattern: RegExp) =>
    files.filter((file) => !isRule(file) && pattern.test(sourceOf(file))).sort();
  const whole = ['capabilities/scim/groups/group.patch.ts', 'tools/apply/groups.ts', 'tools/apply/users.ts'];
  assert.deepEqual(using(/unguarded: true/), whole);
  assert.deepEqual(using(/keepingAnAdministrator\(/), [whole[0], 'tools/apply/apply.ts']);
  const alone = using(
    /\{[^}]*\b(?:giveRole|setDisabled|lockUser|removeUser|changeGroup|leaveGroup|removeGroup)\b[^}]*\} from '[^']*rules\/(?:users|groups)\.ts'/,
  );
  // Commands say that there is no administrator any more, and can make another one at any time.
  const isCommand = (file: string) => /^(?:capabilities\/people|main)\/commands\//.test(file);
  assert.deepEqual(
    alone.filter((file) => !isCommand(file)),
    [],
  );
});

test('settings are read from the environment at the command line only', () => {
  assert.deepEqual(
    files.filter((file) => /process\.env|\benv\b.*= process/.test(sourceOf(file))),
    ['main/command-line.ts'],
  );
});

test('no file has more than 500 lines', () => {
  assert.deepEqual(
    files.filter((file) => linesOf(file) > 500),
    [],
  );
});

const firstLineOf = (text: string) => text.split('\n')[0] as string;

test('every room and every capability says in a README.md what it has, and ARCHITECTURE.md shows each in at most 200 lines', () => {
  const architecture = readFileSync(join(SRC, '..', 'ARCHITECTURE.md'), 'utf8');
  assert.ok(architecture.split('\n').length <= 201, 'ARCHITECTURE.md has more than 200 lines');
  const folders = files
    .flatMap((file) => [roomOf(file), moduleOf(file)])
    .filter((name) => !existsSync(join(SRC, `${name}.ts`)));
  for (const folder of new Set(folders)) {
    const [room = '', name] = folder.split('/');
    if (name === undefined || room === 'capabilities') {
      const row = `| \`src/${folder}/\` | ${firstLineOf(sourceOf(join(folder, 'README.md')))} |`;
      assert.ok(architecture.includes(row), `ARCHITECTURE.md does not show src/${folder}/`);
    } else {
      const hasRow = sourceOf(join(room, 'README.md')).includes(`\n| \`${name}/\` | `);
      assert.ok(hasRow, `src/${room}/README.md does not show ${name}/`);
    }
  }
});

/** Each of the names that `a.{b,c}.ts` stands for. */
function namesIn(code: string): string[] {
  const [, before = '', within, after = ''] = /^(.*?)\{([^}]*)\}(.*)$/.exec(code) ?? [];
  return within === undefined ? [code] : within.split(',').flatMap((each) => namesIn(before + each + after));
}

test('each file that ARCHITECTURE.md or a README.md names exists', () => {
  const root = join(SRC, '..');
  const ours = globSync(['{bin,bench,conformance,deploy,docs,model,publish,src,test,tools}/**/*.*', '*.*'], {
    cwd: root,
    exclude: ['**/node_modules/**'],
  });
  for (const page of ['ARCHITECTURE.md', ...ours.filter((file) => /^src\/.*README\.md$/.test(file))]) {
    const within = page.slice(0, page.lastIndexOf('/') + 1);
    for (const [, code = ''] of readFileSync(join(root, page), 'utf8').matchAll(
      /`([\w./{},-]+\.(?:ts|md|sql|txt))`/g,
    ))
      for (const name of namesIn(code)) {
        const isNamed = (file: string) =>
          (file.startsWith(within) && file.endsWith(`/${name}`)) ||
          ['', 'src/', 'src/capabilities/'].some((folder) => file === folder + name);
        assert.ok(ours.some(isNamed), `${page} names ${name}`);
      }
  }
});

test('the page of a capability shows each of its folders, what it declares, and its documents', () => {
  const capabilities = new Set(files.filter((file) => roomOf(file) === 'capabilities').map(moduleOf));
  for (const capability of capabilities) {
    if (existsSync(join(SRC, `${capability}.ts`))) continue;
    const page = sourceOf(join(capability, 'README.md'));
    const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    assert.deepEqual(headings, ['Files', 'What it declares', 'Documents'], capability);
    for (const entry of readdirSync(join(SRC, capability), { withFileTypes: true }))
      if (entry.isDirectory())
        assert.ok(
          page.includes(`\`${entry.name}/`),
          `the page of ${capability} does not show ${entry.name}/`,
        );
  }
});

test('no statement that PostgreSQL prepares asks a table for all of its columns, which the next migration may change', () => {
  const prepared = files.filter((file) =>
    /^engines\/(postgres|sql)\/|^capabilities\/.+\/tables\//.test(file),
  );
  const asking = prepared.flatMap((file) =>
    (sourceOf(file).match(/\b\w+\.\*.*|(SELECT|RETURNING) \*(?! FROM (\(|unnest\()).*/g) ?? []).map(
      (line) => [file, line],
    ),
  );
  assert.ok(prepared.length > 20);
  assert.deepEqual(asking, []);
});

test('no type and no class has a name that another one has', () => {
  const declaredIn = new Map<string, string[]>();
  for (const file of all)
    for (const [, name = ''] of sourceOf(file).matchAll(DECLARED))
      declaredIn.set(name, [...(declaredIn.get(name) ?? []), file]);
  const twice = [...declaredIn].filter(([, where]) => where.length > 1);
  assert.deepEqual(twice, [], 'give each type a name that says what it is in all of src/');
});

test('every dependency is explained in ARCHITECTURE.md', () => {
  const textOf = (file: string) => readFileSync(join(SRC, '..', file), 'utf8');
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(textOf('package.json'));
  const explained = new Set(textOf('ARCHITECTURE.md').match(/@?[\w/.-]*\w/g));
  for (const name of Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
    // Packages of types are explained with the package that they describe.
    assert.ok(explained.has(name.replace(/^@types\//, '')), name);
  }
});

test('no folder or file has a name that says nothing', () => {
  const unnamed = files.filter((file) =>
    /(^|\/)(utils?|helpers?|common|lib|misc|shared|types|services)(\/|\.ts$)/.test(file),
  );
  assert.deepEqual(unnamed, []);
});
