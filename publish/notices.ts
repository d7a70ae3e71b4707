import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lock } from './shrinkwrap.ts';

const INTRODUCTION = `# Notices of other people's code

Tessera's package names these packages as its dependencies, and npm installs them beside it. Each stands here with its
licence, as its authors wrote it. A package that is installed on some platforms only has the text of the package that
names it.
`;

/** Files with the text of a licence, or with a notice of its holder. */
const NOTICE = /^(licen[cs]e|notice|copying)\b/i;

/** The texts of a package's licence; none if it brings no file with one. */
function textsIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => NOTICE.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim());
}

const indented = (text: string) => text.replace(/^(?=.)/gm, '    ');

/**
 * The notices of all packages of this lock, as Markdown, in the order of their names. The packages are installed below `root`. The
 * text is the same on every platform.
 */
export function noticesOf({ packages }: Lock, root: string): string {
  const parts = Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, { version, license, os }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      const texts = os === undefined ? textsIn(join(root, path)) : [];
      return [
        `## ${name} ${version}\n\nLicence: ${license}\n`,
        ...texts.map((text) => `${indented(text)}\n`),
      ].join('\n');
    });
  return `${[INTRODUCTION, ...[...new Set(parts)].sort()].join('\n')}`;
}
