import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { StateDocument } from '../../../src/tools/apply/document.ts';
import { commandLine } from '../../capabilities/action-definitions/nodes/command-line.ts';
import { CHEAP } from '../../capabilities/migration/import/importing.ts';
import { temporaryFolder } from '../../service/start.ts';

/** A document as a test writes it. */
export type Written = { readonly [L in keyof StateDocument]?: readonly object[] };

/** The digest of some secret, in hex. */
export const digestOf = (digit: string) => digit.repeat(64);

/** A temporary folder with a store, and commands on it in this process. */
export async function applying(t: TestContext, more: Readonly<Record<string, string>> = {}) {
  const folder = await temporaryFolder(t);
  // The service would make this key, which an unlock needs.
  const key = join(folder, 'throttle-key');
  writeFileSync(key, 'a'.repeat(64));
  const data = join(folder, 'data');
  const env = { ...CHEAP, TESSERA_DATA: data, TESSERA_THROTTLE_KEY_FILE: key, ...more };
  const file = join(folder, 'state.json');
  const tessera = (words: string, stdin?: string) => commandLine(words.split(' '), env, stdin);
  return {
    data,
    tessera,
    /** What `users show`, or a like command, prints as JSON. */
    shown: async (words: string) => JSON.parse((await tessera(`${words} --json`)).stdout),
    /** How many events there are. */
    events: async (): Promise<Record<string, string>[]> =>
      JSON.parse((await tessera('events --json')).stdout),
    /** Applies a document, or the text of one. */
    apply(document: Written | string, flags = '') {
      const text = typeof document === 'string' ? document : JSON.stringify(document);
      writeFileSync(file, text);
      return commandLine(['apply', file, ...flags.split(' ').filter((flag) => flag !== '')], env);
    },
    /** The document of the present state. */
    async state(flags = ''): Promise<StateDocument> {
      const { stdout } = await tessera(`state${flags}`);
      return JSON.parse(stdout);
    },
    /** The text of a file in the folder. */
    read: (name: string) => readFileSync(join(folder, name), 'utf8'),
    path: (name: string) => join(folder, name),
  };
}

/** The lines of a diff, without its summary. */
export const diffOf = ({ stdout }: { readonly stdout: string }) => stdout.split('\n').slice(0, -2);
