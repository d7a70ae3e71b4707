import { writeFileSync } from 'node:fs';
import { openApiDocument } from '../src/faces/description/openapi/document.ts';
import { servedWith } from '../src/faces/description/served.ts';
import { operations } from '../src/main/operations.ts';
import { readSettings } from '../src/main/settings.ts';
import { manualPage } from './reference/man.ts';
import { operationsPage } from './reference/operations.ts';
import { refusalsPage } from './reference/refusals.ts';
import { SCHEMAS } from './reference/schemas.ts';
import { settingsPage } from './reference/settings.ts';
import { stableFile } from './reference/stable.ts';

/** The OpenAPI document that a service with default settings serves below its first base path. */
function openApiFile(): string {
  const { settings } = readSettings({ flags: {}, env: {} });
  const served = servedWith(settings, operations);
  return `${JSON.stringify(openApiDocument(served, settings.basePaths[0] ?? ''), undefined, 2)}\n`;
}

/** The generated pages that are in git, by their file in `docs/reference/`. */
export const PAGES: Readonly<Record<string, () => string>> = {
  'operations.md': operationsPage,
  'refusals.md': refusalsPage,
  'settings.md': settingsPage,
  'stable.txt': stableFile,
  ...SCHEMAS,
};

/** The generated files that git ignores: `npm run docs` and `npm run package` write them. */
export const UNTRACKED: Readonly<Record<string, () => string>> = {
  'openapi.json': openApiFile,
  'tessera.1': manualPage,
};

/** The place of a generated file in the folder of the documents, which ends in a slash. */
export function placeOf(file: string, docs = new URL('./', import.meta.url)): URL {
  return new URL(`reference/${file}`, docs);
}

if (import.meta.main) {
  for (const [file, page] of Object.entries({ ...PAGES, ...UNTRACKED })) writeFileSync(placeOf(file), page());
  const { writePictures } = await import('./pictures/pictures.ts');
  const why = await writePictures();
  if (why !== undefined) console.error(`The pictures in docs/images/ stay as they are: ${why}`);
}
