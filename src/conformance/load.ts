import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readDocument } from '../documents/read-document.ts';
import { CaseFile } from './document.ts';

/** The folder of the cases that are published. */
export const PUBLISHED = fileURLToPath(new URL('../../conformance/', import.meta.url));

/** The files of cases in a folder, in the order of their names. Throws `DocumentsFaulty` with every fault of one. */
export function loadCases(folder: string = PUBLISHED): CaseFile[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => readDocument(join(folder, name), CaseFile).value);
}
