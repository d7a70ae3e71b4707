import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryFolder } from '../../service/start.ts';

/** The members that each provider has. */
export const ACME = {
  id: 'acme',
  name: 'Acme',
  issuer: 'https://id.example.org',
  clientId: 'tessera',
};

/** The path of a document with this text, in a folder that is removed after the test. */
export async function providersDocument(t: TestContext, text: string): Promise<string> {
  const file = join(await temporaryFolder(t), 'providers.json');
  writeFileSync(file, text);
  return file;
}
