import type { CaseFile } from '../../conformance/document.ts';
import { loadCases } from '../../conformance/load.ts';
import { WrongUsage } from '../failure.ts';

/** How the command line chooses cases. */
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
    // Faults in the cases are told as such.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new WrongUsage(`--cases: ${(error as Error).message}`);
  }
}

/** The published cases or those of a folder, all of them or those whose name holds a text: one at least. */
export function casesIn({ cases: folder, only = '' }: CaseOptions): CaseFile[] {
  const files = filesIn(folder)
    .map((file) => ({ ...file, cases: file.cases.filter(({ name }) => name.includes(only)) }))
    .filter(({ cases }) => cases.length > 0);
  if (files.length === 0) throw new WrongUsage(`There is no case whose name holds "${only}".`);
  return files;
}
