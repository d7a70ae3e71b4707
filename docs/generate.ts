import { writeFileSync } from 'node:fs';
import { openApiFile } from './reference/openapi.ts';
import { operationsPage } from './reference/operations.ts';
import { refusalsPage } from './reference/refusals.ts';
import { settingsPage } from './reference/settings.ts';
import { SCHEMAS } from './schemas.ts';

/** The pages that are made from the source, by their file in `docs/reference/`. */
export const PAGES: Readonly<Record<string, () => string>> = {
  'openapi.json': openApiFile,
  'operations.md': operationsPage,
  'refusals.md': refusalsPage,
  'settings.md': settingsPage,
  ...SCHEMAS,
};

/** Where the page of this file is kept. */
export function placeOf(file: string): URL {
  return new URL(`./reference/${file}`, import.meta.url);
}

if (import.meta.main) {
  for (const [file, page] of Object.entries(PAGES)) writeFileSync(placeOf(file), page());
}
