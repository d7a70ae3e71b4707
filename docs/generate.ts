import { writeFileSync } from 'node:fs';
import { openApiFile } from './reference/openapi.ts';
import { operationsPage } from './reference/operations.ts';
import { refusalsPage } from './reference/refusals.ts';
import { settingsPage } from './reference/settings.ts';
import { SCHEMAS } from './schemas.ts';

/** The generated pages that are in git, by their file in `docs/reference/`. */
export const PAGES: Readonly<Record<string, () => string>> = {
  'operations.md': operationsPage,
  'refusals.md': refusalsPage,
  'settings.md': settingsPage,
  ...SCHEMAS,
};

/** The generated files that git ignores: `npm run docs` and `npm run package` write them. */
export const UNTRACKED: Readonly<Record<string, () => string>> = { 'openapi.json': openApiFile };

/** The place of a generated file in the folder of the documents, which ends in a slash. */
export function placeOf(file: string, docs = new URL('./', import.meta.url)): URL {
  return new URL(`reference/${file}`, docs);
}

if (import.meta.main) {
  for (const [file, page] of Object.entries({ ...PAGES, ...UNTRACKED })) writeFileSync(placeOf(file), page());
}
