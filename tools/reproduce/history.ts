import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Why a defect cannot be looked at, as a sentence that says what to do. */
export class CannotReproduce extends Error {}

/** The output of a git command in this checkout. */
export async function git(root: string, ...words: string[]): Promise<string> {
  const { stdout } = await run('git', ['-C', root, ...words], { maxBuffer: 2 ** 26 });
  return stdout.trim();
}

/** Returns why this folder cannot show how it was before a mend, or undefined if it can. */
export async function whyNoHistory(root: string): Promise<string | undefined> {
  const [top, shallow] = await Promise.all([
    git(root, 'rev-parse', '--show-cdup').catch(() => undefined),
    git(root, 'rev-parse', '--is-shallow-repository').catch(() => undefined),
  ]);
  if (top !== '')
    return 'this folder has no history, since it is no checkout of git: clone the repository, and run it there';
  if (shallow === 'true') return "this clone is shallow and lacks the history: run 'git fetch --unshallow'";
  return undefined;
}

/** The full hash of a commit. Throws {@link CannotReproduce} if the history does not have it. */
export async function commitOf(root: string, hash: string): Promise<string> {
  return await git(root, 'rev-parse', '--verify', '--quiet', `${hash}^{commit}`).catch(() => {
    throw new CannotReproduce(`the history of this checkout has no commit ${hash}: fetch the main branch`);
  });
}

/** Writes a tree of the history, or the folder `path` of it, into a folder. Changes nothing in the repository. */
export async function extract(root: string, tree: string, folder: string, path = '.'): Promise<void> {
  const archive = join(folder, '.tree.tar');
  await git(root, 'archive', `--output=${archive}`, tree, path);
  await run('tar', ['-x', '-f', archive, '-C', folder]);
  await rm(archive);
}
