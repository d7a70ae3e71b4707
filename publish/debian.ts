import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { setModes } from './modes.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** The files where they are on a machine that has the package. */
const TREE = join(ROOT, 'package-debian');
const LIBRARY = '/usr/lib/tessera';
const SETTINGS = '/etc/tessera/environment';
const MAINTAINER_SCRIPTS = ['postinst', 'prerm', 'postrm'];
/** Debian's names of the architectures for which npm brings a Node. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };
/** When every file was changed, in epoch seconds: the time that npm gives the files of a package. */
const CHANGED = '499162500';

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const architecture = ARCHITECTURES[process.arch];
if (architecture === undefined)
  throw new Error(`no Node is brought for ${process.arch}: build on x64 or arm64`);

/** Copies the published package, and brings the packages of its lock and the Node of the checkout to it. */
function install(): void {
  const home = join(TREE, LIBRARY);
  cpSync(join(ROOT, 'package'), home, { recursive: true });
  // npm runs on the system's Node, and warns of packages that need a newer one, as the one that comes with them is.
  const words = ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--loglevel=error'];
  execFileSync('npm', words, { cwd: home, stdio: ['ignore', 'ignore', 'inherit'] });
  for (const name of ['bin/node', 'package.json', 'LICENSE'])
    cpSync(
      join(ROOT, `node_modules/node-linux-${process.arch}`, name),
      join(home, `node_modules/node-linux-${process.arch}`, name),
    );
}

function write(path: string, content: string | Buffer): void {
  const file = join(TREE, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

const deployed = (name: string) => readFileSync(join(ROOT, 'deploy', name), 'utf8');
/** A file for systemd, with the folder of this package in place of the one that a reader of deploy/README.md fills. */
const placed = (name: string) => deployed(name).replaceAll('/opt/tessera', LIBRARY);

/** Writes what Debian's programs look for elsewhere: units, the user, the command, its page and its completions. */
function integrate(): void {
  for (const unit of ['tessera.service', 'tessera.socket'])
    write(`/lib/systemd/system/${unit}`, placed(unit));
  write('/usr/bin/tessera', placed('tessera'));
  chmodSync(join(TREE, '/usr/bin/tessera'), 0o755);
  write('/usr/lib/sysusers.d/tessera.conf', deployed('debian/sysusers.conf'));
  write(SETTINGS, deployed('debian/environment'));
  write(
    '/usr/share/man/man1/tessera.1.gz',
    gzipSync(readFileSync(join(TREE, LIBRARY, 'docs/reference/tessera.1'))),
  );
  write('/usr/share/doc/tessera/changelog.gz', gzipSync(readFileSync(join(ROOT, 'CHANGELOG.md'))));
  write('/usr/share/doc/tessera/copyright', readFileSync(join(ROOT, 'LICENSE')));
  // What the program compiles for itself would not be the same in the next build.
  const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' };
  const completion = (shell: string) =>
    execFileSync(join(TREE, LIBRARY, 'bin/tessera'), ['completion', shell], { env });
  write('/usr/share/bash-completion/completions/tessera', completion('bash'));
  write('/usr/share/zsh/vendor-completions/_tessera', completion('zsh'));
  write('/usr/share/fish/vendor_completions.d/tessera.fish', completion('fish'));
}

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();

/** Writes what dpkg reads: the fields, the scripts, the settings that an administrator changes, and a digest of each file. */
function describe(): void {
  const files = filesBelow(TREE).map((file) => ({ path: relative(TREE, file), content: readFileSync(file) }));
  const size = Math.ceil(files.reduce((sum, { content }) => sum + content.length, 0) / 1024);
  const fields = { VERSION: version, ARCHITECTURE: architecture, SIZE: String(size) };
  const filled = (_all: string, name: string) => fields[name as keyof typeof fields] ?? '';
  const digest = (content: Buffer) => createHash('md5').update(content).digest('hex');
  write('/DEBIAN/md5sums', files.map(({ path, content }) => `${digest(content)}  ${path}\n`).join(''));
  write('/DEBIAN/control', deployed('debian/control').replaceAll(/@(\w+)@/g, filled));
  write('/DEBIAN/conffiles', `${SETTINGS}\n`);
  for (const name of MAINTAINER_SCRIPTS) {
    write(`/DEBIAN/${name}`, deployed(`debian/${name}`));
    chmodSync(join(TREE, 'DEBIAN', name), 0o755);
  }
}

/** Makes `tessera_VERSION_ARCHITECTURE.deb` of `package/`, which `publish/build.ts` made, and prints its name. */
const { compression } = parseArgs({ options: { compression: { type: 'string', default: 'xz' } } }).values;
rmSync(TREE, { recursive: true, force: true });
install();
integrate();
describe();
chmodSync(TREE, 0o755);
setModes(TREE);
const name = `tessera_${version}_${architecture}.deb`;
execFileSync(
  'dpkg-deb',
  ['--root-owner-group', '--threads-max=2', `-Z${compression}`, '--build', TREE, join(ROOT, name)],
  { env: { ...process.env, SOURCE_DATE_EPOCH: CHANGED }, stdio: ['ignore', 'ignore', 'inherit'] },
);
rmSync(TREE, { recursive: true });
process.stdout.write(`${name}\n`);
