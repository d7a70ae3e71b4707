import { openApiDocument } from '../../src/description/openapi/document.ts';
import { servedWith } from '../../src/description/served.ts';
import { operations } from '../../src/operations/all.ts';
import { SETTINGS } from '../../src/settings/table.ts';

/** The OpenAPI document that a service with default settings serves below its first base path. */
export function openApiFile(): string {
  const [basePath = ''] = SETTINGS.basePaths.parse(SETTINGS.basePaths.default);
  const index = SETTINGS.index.parse(SETTINGS.index.default);
  const gateAnswers = SETTINGS.gateAnswers.parse(SETTINGS.gateAnswers.default);
  const served = servedWith({ index, gateAnswers }, operations);
  return `${JSON.stringify(openApiDocument(served, basePath), undefined, 2)}\n`;
}
