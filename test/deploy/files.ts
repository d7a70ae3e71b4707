import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import type { Settings } from '../../src/core/settings/table.ts';
import { readSettings } from '../../src/main/settings.ts';
import { temporaryFolder } from '../service/start.ts';

export const DEPLOY = fileURLToPath(new URL('../../deploy/', import.meta.url));

export const textOf = (file: string): string => readFileSync(join(DEPLOY, file), 'utf8');

/** The documents of a YAML file; throws when one is faulty or says something that a reader may take otherwise. */
export function documentsIn(file: string): unknown[] {
  return parseAllDocuments(textOf(file), { strict: true, uniqueKeys: true }).map((document) => {
    const [fault] = [...document.errors, ...document.warnings];
    if (fault !== undefined) throw fault;
    return document.toJS();
  });
}

/** The manifests for Kubernetes, by their kind; throws when there are two of one. */
export function manifests(): Record<string, Record<string, unknown>> {
  const files = readdirSync(join(DEPLOY, 'kubernetes'));
  const found: Record<string, Record<string, unknown>> = {};
  for (const document of files.flatMap((file) => documentsIn(join('kubernetes', file)))) {
    const { kind } = document as { kind: string };
    if (kind in found) throw new Error(`there are two manifests of the kind ${kind}`);
    found[kind] = document as Record<string, unknown>;
  }
  return found;
}

/** The settings that these variables make, with every file that one of them names in a folder of the test's own. */
export async function settingsIn(
  t: TestContext,
  env: Readonly<Record<string, string>>,
  secrets: Readonly<Record<string, string>>,
): Promise<Settings> {
  const folder = await temporaryFolder(t);
  const moved = Object.entries(env).map(([name, value]) => {
    if (!name.endsWith('_FILE')) return [name, value];
    const secret = value.split('/').at(-1) ?? '';
    if (!(secret in secrets)) throw new Error(`${name} names the secret ${secret}, which there is not`);
    const file = join(folder, secret);
    writeFileSync(file, secrets[secret] ?? '');
    return [name, file];
  });
  return readSettings({ flags: {}, env: Object.fromEntries(moved) }).settings;
}
