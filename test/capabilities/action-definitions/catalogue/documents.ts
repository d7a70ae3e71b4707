import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Catalogue } from '../../../../src/capabilities/action-definitions/catalogue/catalogue.ts';
import { loadCatalogue } from '../../../../src/capabilities/action-definitions/catalogue/load.ts';
import { DocumentsFaulty } from '../../../../src/core/documents/read-document.ts';
import { temporaryFolder } from '../../../service/start.ts';

/** A minimal action definition, as a document has it. */
export function aDefinition(name: string, more: Readonly<Record<string, unknown>> = {}) {
  return { name, adHocPropertiesAllowed: false, applicableTypes: [], ...more };
}

/** A temporary folder with these documents. Texts are written unchanged, all else as JSON. */
export async function folderOf(
  t: TestContext,
  documents: Readonly<Record<string, unknown>>,
): Promise<{ folder: string; at: (file: string) => string }> {
  const folder = await temporaryFolder(t);
  const at = (file: string) => join(folder, file);
  for (const [file, document] of Object.entries(documents)) {
    writeFileSync(at(file), typeof document === 'string' ? document : JSON.stringify(document, undefined, 2));
  }
  return { folder, at };
}

/** The catalogue of documents at these paths. */
export function load({
  definitions = '',
  model = '',
  generation = '3.2' as '3.2' | 'current',
} = {}): Catalogue {
  return loadCatalogue({ definitions, model, generation });
}

export const namesIn = ({ definitions }: Catalogue): string[] => definitions.map(({ name }) => name);

/** The lines that loading reports. */
export function faultsOf(sources: { definitions?: string; model?: string }): string[] {
  try {
    load(sources);
  } catch (error) {
    if (error instanceof DocumentsFaulty) return error.message.split('\n');
    throw error;
  }
  throw new Error('nothing is at fault');
}
