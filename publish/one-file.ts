import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';
import { writeSite } from '../docs/site/site.ts';
import { noticesOf } from './notices.ts';
import { WITHIN } from './one-file/files.ts';
import { THREAD } from './one-file/threads.ts';
import { type Lock, shrinkwrapOf } from './shrinkwrap.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const OF_ONE_FILE = join(ROOT, 'publish/one-file');
const NODE = `node_modules/node-linux-${process.arch}`;
const MAIN = 'main.js';
/** Files of packages that pages load. */
const OF_PACKAGES = ['swagger-ui-bundle.js', 'swagger-ui.css']
  .map((name) => `node_modules/@fastify/swagger-ui/static/${name}`)
  .concat('node_modules/htmx.org/dist/htmx.min.js');
/** The packages with the machine code that hashes passwords, and the file in each. */
const NATIVE = new Map(
  ['argon2', 'bcrypt'].map((name) => {
    const kind = `linux-${process.arch}-gnu`;
    return [`@node-rs/${name}-${kind}`, `node_modules/@node-rs/${name}-${kind}/${name}.${kind}.node`];
  }),
);

const contentOf = (name: string) => readFileSync(join(ROOT, name));
const ours = (file: string) => ['src/', 'conformance/'].some((folder) => file.startsWith(ROOT + folder));

/** The files below a folder that are no code and no pages. */
const filesBelow = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(ts|md)$/.test(entry.name))
    .map(({ parentPath, name }) => relative(ROOT, join(parentPath, name)));

/** Has our code read its files, start its thread and load machine code as `publish/one-file/` does it. */
const asOneFile: Plugin = {
  name: 'one-file',
  resolveId(id, from = '') {
    if (NATIVE.has(id)) return `\0${id}`;
    if (id === 'node:fs' && ours(from)) return join(OF_ONE_FILE, 'files.ts');
    return id === 'node:worker_threads' && ours(from) && !from.endsWith('judging-thread.ts')
      ? join(OF_ONE_FILE, 'threads.ts')
      : null;
  },
  load(id) {
    const file = NATIVE.get(id.slice(1));
    if (file === undefined) return null;
    const digest = createHash('sha256').update(contentOf(file)).digest('hex');
    return `import { nativeModule } from '${join(OF_ONE_FILE, 'native-module.ts')}';
      const loaded = nativeModule('${file}', '${digest}');
      export { loaded as 'module.exports' };`;
  },
  transform(code, id) {
    if (!ours(id)) return null;
    return code
      .replaceAll('import.meta.main', 'true')
      .replaceAll('import.meta.url', `'${pathToFileURL(WITHIN + relative(ROOT, id))}'`)
      .replaceAll(/import\.meta\.resolve\((['`])/g, `($1file://${WITHIN}node_modules/`);
  },
};

/** Makes one script of this one and of all that it imports. */
async function bundle(input: string, file: string, format: 'esm' | 'cjs'): Promise<void> {
  const bundled = await rolldown({
    input: join(ROOT, input),
    cwd: ROOT,
    platform: 'node',
    tsconfig: false,
    resolve: { symlinks: false },
    plugins: [asOneFile],
    onLog: (level, log, report) => {
      // Packages have circles among their modules, and one reads its own source by eval.
      if (log.code !== 'CIRCULAR_DEPENDENCY' && log.code !== 'EVAL')
        report(level === 'warn' ? 'error' : level, log);
    },
  });
  await bundled.write({ file, format, codeSplitting: false });
}

/** The licences of everybody whose code is inside. */
function writeNotices(folder: string): Record<string, string> {
  const lock = JSON.parse(contentOf('package-lock.json').toString()) as Lock;
  const file = join(folder, 'notices');
  writeFileSync(file, noticesOf(shrinkwrapOf(lock, {}), ROOT));
  return { 'THIRD-PARTY-NOTICES.md': file, 'LICENSE-of-node': join(ROOT, NODE, 'LICENSE') };
}

/** Makes `tessera-VERSION-linux-ARCHITECTURE`, a program that is one file, and prints its name. */
const folder = mkdtempSync(join(ROOT, 'one-file-'));
try {
  await bundle('publish/one-file/main.ts', join(folder, MAIN), 'esm');
  await bundle('src/core/identity/judging-thread.ts', join(folder, THREAD), 'cjs');
  const names = [
    'package.json',
    ...filesBelow('src'),
    ...filesBelow('conformance'),
    ...OF_PACKAGES,
    ...NATIVE.values(),
  ];
  const site = writeSite(join(folder, 'site')).map((name) => [
    `docs/html/${name}`,
    join(folder, 'site', name),
  ]);
  const assets = Object.fromEntries([...names.sort().map((name) => [name, join(ROOT, name)]), ...site]);
  const settings = {
    main: MAIN,
    mainFormat: 'module',
    executable: join(ROOT, NODE, 'bin/node'),
    output: 'tessera',
    disableExperimentalSEAWarning: true,
    // What V8 compiles is not the same twice.
    useCodeCache: false,
    useSnapshot: false,
    // As bin/tessera has it.
    execArgv: ['--disable-sigusr1'],
    assets: { ...assets, [THREAD]: THREAD, ...writeNotices(folder) },
  };
  writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings));
  execFileSync(join(ROOT, NODE, 'bin/node'), ['--build-sea', 'settings.json'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const { version } = JSON.parse(contentOf('package.json').toString()) as { readonly version: string };
  const name = `tessera-${version}-linux-${process.arch}`;
  chmodSync(join(folder, 'tessera'), 0o755);
  renameSync(join(folder, 'tessera'), join(ROOT, name));
  process.stdout.write(`${name}\n`);
} finally {
  rmSync(folder, { recursive: true });
}
