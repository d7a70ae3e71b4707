import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CaseFile } from '../../../conformance/player/case-file.ts';
import { PUBLISHED } from '../../../conformance/player/run.ts';
import { readDocument } from '../../core/documents/read-document.ts';
import { WrongUsage } from '../../faces/cli/failure.ts';

/** The files of cases in a folder, in the order of their names. Throws `DocumentsFaulty` with every fault of a file. */
export function loadCases(folder: string = PUBLISHED): CaseFile[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => readDocument(join(folder, name), CaseFile).value);
}

/** The options that choose cases. */
export interface CaseOptions {
  readonly cases?: string;
  readonly only?: string;
}

function filesIn(folder?: string): CaseFile[] {
  try {
    const files = loadCases(folder);
    if (files.length > 0) return files;
    throw new WrongUsage(`--cases: there are no cases in ${folder}: name a folder with some in .json files`);
  } catch (error) {
    // A fault in a case has its own message.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new WrongUsage(`--cases: ${(error as Error).message}`);
  }
}

/** The chosen cases, at least one. Throws {@link WrongUsage} where there is none. */
export function casesIn({ cases: folder, only = '' }: CaseOptions): CaseFile[] {
  const files = filesIn(folder)
    .map((file) => ({ ...file, cases: file.cases.filter(({ name }) => name.includes(only)) }))
    .filter(({ cases }) => cases.length > 0);
  if (files.length === 0) throw new WrongUsage(`There is no case whose name holds "${only}".`);
  return files;
}
