import type { TSchema } from 'typebox';
import { CaseFile } from '../../conformance/player/case-file.ts';
import {
  DefinitionsDocument,
  ModelDocument,
} from '../../src/capabilities/action-definitions/catalogue/document.ts';
import { ProvidersDocument } from '../../src/capabilities/oidc/document.ts';
import { RulesDocument } from '../../src/capabilities/proxy-gate/rules/document.ts';
import { WebhooksDocument } from '../../src/capabilities/webhooks/load.ts';
import { StateDocument } from '../../src/tools/apply/document.ts';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** JSON in the format of Biome: arrays of simple values on one line, every member of an object on its own line. */
function formatted(value: unknown, indent = ''): string {
  const deeper = `${indent}  `;
  const block = (open: string, parts: readonly string[], close: string) =>
    `${open}\n${parts.map((part) => deeper + part).join(',\n')}\n${indent}${close}`;
  if (Array.isArray(value)) {
    const parts = value.map((element) => formatted(element, deeper));
    const isFlat = parts.every((part) => !part.includes('\n'));
    return isFlat ? `[${parts.join(', ')}]` : block('[', parts, ']');
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${formatted(member, deeper)}`,
  );
  return members.length === 0 ? '{}' : block('{', members, '}');
}

function published({ title, ...schema }: TSchema & { readonly title?: string }): string {
  return `${formatted({ $schema: DIALECT, title, ...schema })}\n`;
}

/** The JSON Schemas of the catalogue's documents, of the gate's rules, of identity providers, of webhooks, of state as a file and of files of conformance cases, by their file in `docs/reference/`. */
export const SCHEMAS: Readonly<Record<string, () => string>> = {
  'action-definitions.schema.json': () => published(DefinitionsDocument),
  'content-model.schema.json': () => published(ModelDocument),
  'gate-rules.schema.json': () => published(RulesDocument),
  'providers.schema.json': () => published(ProvidersDocument),
  'state.schema.json': () => published(StateDocument),
  'webhooks.schema.json': () => published(WebhooksDocument),
  'conformance-cases.schema.json': () => published(CaseFile),
};
