import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Ended, run } from '../faces/cli/command.ts';
import { temporaryFolder } from '../service/start.ts';

/** Why no other machine can be had here; with TESSERA_TEST_ALL=1 that is a failure. */
export async function whyNoMachine(): Promise<string | undefined> {
  const tried = await run('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).catch(String);
  const built = await run('dpkg-deb', ['--version']).catch(String);
  const fault = [tried, built].find((ended) => typeof ended === 'string' || ended.code !== 0);
  if (fault === undefined) return undefined;
  const why = `it takes root, unshare and dpkg-deb: ${typeof fault === 'string' ? fault : fault.stderr}`;
  if (process.env.TESSERA_TEST_ALL === '1') throw new Error(why);
  return `${why}; TESSERA_TEST_ALL=1 makes that a failure`;
}

/** Runs a script as root of a machine; what it mounts and every process that it starts end with it. */
async function onMachine(script: string, words: readonly string[]): Promise<Ended> {
  const inside = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-euc', script, 'sh', ...words];
  return run('unshare', inside, { env: { LC_ALL: 'C.UTF-8' }, patience: 300_000 });
}

/** Mounts what programs expect to find below a root. */
const WITH_DEVICES = `mount -t proc proc "$root/proc"; mount --rbind /dev "$root/dev"; mount -t tmpfs tmpfs "$root/tmp"`;

/**
 * Runs a script as root on a copy of this machine: it reads the files that are here, and what it writes goes with it. `shared`
 * is a folder of this machine that it finds as `/mnt`.
 */
export function onCopyOfMachine(script: string, shared: string): Promise<Ended> {
  const mounts = `
    mount -t tmpfs tmpfs /media && mkdir /media/upper /media/work /media/root && root=/media/root
    mount -t overlay overlay -o lowerdir=/,upperdir=/media/upper,workdir=/media/work "$root"
    mount --bind "$2" "$root/mnt"; ${WITH_DEVICES}
    exec chroot "$root" sh -euc "$1"`;
  return onMachine(mounts, [script, shared]);
}

/** The packages of Debian's smallest system that the programs of Tessera use. */
const SLIM = [
  ...['base-files', 'dash', 'coreutils', 'libc-bin', 'libc6', 'libgcc-s1', 'libstdc++6'],
  ...['libselinux1', 'libpcre2-8-0', 'libacl1', 'libattr1', 'libgmp10'],
];

/** Makes a folder with the files of Debian's smallest system, of these packages beside, and of nothing else. */
export async function slimDebian(t: TestContext, more: readonly string[]): Promise<string> {
  const root = await temporaryFolder(t);
  chmodSync(root, 0o755);
  for (const name of ['proc', 'dev', 'tmp', 'usr/bin', 'usr/sbin', 'usr/lib', 'usr/lib64'])
    mkdirSync(join(root, name), { recursive: true });
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) symlinkSync(`usr/${name}`, join(root, name));
  const copy = `dpkg -L "$@" | grep -E '^/(bin|sbin|lib|usr/(bin|sbin|lib))' | sort -u |
      while read -r path; do [ -d "$path" ] || [ ! -e "$path" ] || printf '%s\\0' "$path"; done |
      tar -c --null --files-from - 2>/dev/null | tar -x -C '${root}' --keep-directory-symlink
    ln -sf dash '${root}/bin/sh'`;
  const copied = await run('sh', ['-euc', copy, 'sh', ...SLIM, ...more]);
  if (copied.code !== 0) throw new Error(copied.stderr);
  return root;
}

/**
 * Runs a script as root beside a machine whose root is this folder, which nobody can write to but below `data`, a folder of the user
 * 10001. `in_it …` runs a program there as that user.
 */
export function besideSlimMachine(script: string, root: string, data: string): Promise<Ended> {
  const mounts = `
    root=$2; mount --bind "$root" "$root"; mount -o remount,bind,ro "$root"; ${WITH_DEVICES}
    mount -t tmpfs -o uid=10001,gid=10001,mode=0700 tmpfs "$root${data}"
    in_it() { exec chroot --userspec=10001:10001 "$root" "$@"; }
    eval "$1"`;
  return onMachine(mounts, [script, root]);
}
