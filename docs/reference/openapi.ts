import { openApiDocument } from '../../src/description/openapi/document.ts';
import { operations } from '../../src/operations/all.ts';
import { SETTINGS } from '../../src/settings/table.ts';

/** The OpenAPI document of all operations, as a fresh service tells it below its first base path. */
export function openApiFile(): string {
  const [basePath = ''] = SETTINGS.basePaths.parse(SETTINGS.basePaths.default);
  return `${JSON.stringify(openApiDocument(operations, basePath), undefined, 2)}\n`;
}
