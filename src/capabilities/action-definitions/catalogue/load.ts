import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Static, TSchema } from 'typebox';
import {
  type DocumentFault,
  DocumentsFaulty,
  type ReadDocument,
  readDocument,
} from '../../../core/documents/read-document.ts';
import type { ConditionDefinition, ParameterDefinition } from '../domain/action-definition.ts';
import { type ContentModel, contentModel } from '../domain/content-model.ts';
import { Catalogue } from './catalogue.ts';
import {
  type Constraints,
  constraintsIn,
  faultsOfLabels,
  faultsOfParameters,
  languageOf,
  withTags,
} from './checks.ts';
import { DefinitionsDocument, ModelDocument } from './document.ts';
import { type DocumentPaths, documentsIn } from './stamp.ts';

/** The sources of the catalogue. */
export interface CatalogueSources extends DocumentPaths {
  /** The built-in set. The documents add to it or replace it. */
  readonly generation: '3.2' | 'current';
}

const builtIn = (name: string) => fileURLToPath(new URL(`./builtin/${name}.json`, import.meta.url));

/** The files at a path: the file itself, or the documents in the folder. */
function filesAt(path: string): string[] {
  if (path === '') return [];
  try {
    if (!statSync(path).isDirectory()) return [path];
    return documentsIn(path, readdirSync(path));
  } catch (error) {
    throw new DocumentsFaulty([{ file: path, fault: `cannot be read: ${(error as Error).message}` }]);
  }
}

/** Reads all documents, and throws every fault in them at once. */
function readAll<S extends TSchema>(files: readonly string[], schema: S): ReadDocument<Static<S>>[] {
  const read: ReadDocument<Static<S>>[] = [];
  const faults: DocumentFault[] = [];
  for (const file of files) {
    try {
      read.push(readDocument(file, schema));
    } catch (error) {
      if (!(error instanceof DocumentsFaulty)) throw error;
      faults.push(...error.faults);
    }
  }
  if (faults.length > 0) throw new DocumentsFaulty(faults);
  return read;
}

/** The documents at a path, which is a file or a folder. Throws {@link DocumentsFaulty} with every fault. */
export function documentsAt<S extends TSchema>(path: string, schema: S): ReadDocument<Static<S>>[] {
  return readAll(filesAt(path), schema);
}

/** The documents in force: the built-in ones first, unless another document replaces them. */
function inForce<S extends typeof DefinitionsDocument | typeof ModelDocument>(
  builtInFiles: readonly string[],
  path: string,
  schema: S,
): ReadDocument<Static<S>>[] {
  const own = documentsAt(path, schema);
  const replaced = own.some(({ value }) => value.extends === 'none');
  return replaced ? own : [...readAll(builtInFiles, schema), ...own];
}

type WrittenParameters = DefinitionsDocument['definitions'][number]['parameters'];

function parametersIn(
  parameters: WrittenParameters = [],
  constraints: Constraints,
): readonly ParameterDefinition[] {
  return parameters.map((parameter) => {
    const allowed = constraints.get(parameter.constraint ?? '')?.values ?? [];
    const values = allowed.length > 0 ? { allowed } : {};
    return { multiValued: false, mandatory: false, ...withTags(parameter), ...values };
  });
}

function loadModel({ model }: CatalogueSources): ContentModel {
  const documents = inForce([builtIn('model')], model, ModelDocument);
  const typesIn = ({ value }: ReadDocument<ModelDocument>) => value.types;
  const result = contentModel(documents.flatMap(typesIn));
  if (!('faults' in result)) return result;
  throw new DocumentsFaulty(
    result.faults.map(({ type, fault }) => {
      const document = documents.findLast((candidate) =>
        typesIn(candidate).some(({ name }) => name === type),
      ) as ReadDocument<ModelDocument>;
      const index = typesIn(document).findLastIndex(({ name }) => name === type);
      return document.faultAt(`/types/${index}`, `${type} ${fault}`);
    }),
  );
}

type DefinitionsMember = 'definitions' | 'conditions';

/** What a document lists under this member, complete: with every parameter's flags and allowed values. */
type Complete<M extends DefinitionsMember> = Omit<NonNullable<DefinitionsDocument[M]>[number], 'parameters'> &
  Pick<ConditionDefinition, 'parameters' | 'language'>;

/** What definitions are read from. */
interface DefinitionSources {
  readonly documents: readonly ReadDocument<DefinitionsDocument>[];
  /** Files whose definitions may be replaced. */
  readonly builtInFiles: readonly string[];
  readonly constraints: Constraints;
}

/** The definitions in these documents, complete. Adds a fault for a name that is defined twice, and for faulty parameters and labels. */
function definitionsIn<M extends DefinitionsMember>(
  member: M,
  { documents, builtInFiles, constraints }: DefinitionSources,
  faults: DocumentFault[],
): Complete<M>[] {
  const definitions = new Map<string, Complete<M>>();
  const own = new Set<string>();
  for (const document of documents) {
    const { file, value, faultAt } = document;
    for (const [index, definition] of (value[member] ?? []).entries()) {
      const { name } = definition;
      const at = (pointer: string, fault: string) => faultAt(`/${member}/${index}${pointer}`, fault);
      faults.push(...faultsOfLabels(definition, at), ...faultsOfParameters(definition, constraints, at));
      if (own.has(name)) faults.push(at('/name', `"${name}" is defined twice`));
      if (!builtInFiles.includes(file)) own.add(name);
      const parameters = parametersIn(definition.parameters, constraints);
      definitions.set(name, {
        ...withTags(definition),
        parameters,
        language: languageOf(document),
      } as Complete<M>);
    }
  }
  return [...definitions.values()];
}

/**
 * Loads and checks the catalogue. Throws {@link DocumentsFaulty} with every fault in the definitions or in the model.
 */
export function loadCatalogue(sources: CatalogueSources): Catalogue {
  const builtInFiles = [builtIn(`definitions-${sources.generation}`), builtIn('conditions')];
  const documents = inForce(builtInFiles, sources.definitions, DefinitionsDocument);
  const faults: DocumentFault[] = [];
  const constraints = constraintsIn(documents, builtInFiles, faults);
  const from = { documents, builtInFiles, constraints };
  const definitions = definitionsIn('definitions', from, faults);
  const conditions = definitionsIn('conditions', from, faults);
  if (faults.length > 0) throw new DocumentsFaulty(faults);
  const language = documents.map(languageOf).at(-1) ?? 'en';
  return new Catalogue({ definitions, conditions, constraints, model: loadModel(sources), language });
}
