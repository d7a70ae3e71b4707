import type { DocumentFault, ReadDocument } from '../../../core/documents/read-document.ts';
import { canHave } from '../domain/allowed-value.ts';
import { type Label, languagesOf } from '../domain/label.ts';
import type { ParameterConstraint } from '../domain/parameter-constraint.ts';
import type { DefinitionsDocument } from './document.ts';

/** The indexes of the entries that also stand earlier in the list. */
function repeatedIn(list: readonly unknown[]): number[] {
  const seen = new Set();
  return [...list.keys()].filter((at) => seen.size === seen.add(list[at]).size);
}

const MEMBERS = ['title', 'description', 'label'] as const;

/** Something that has labels. */
type Labelled = { [member in (typeof MEMBERS)[number]]?: Label | undefined };

const inUsualCase = (part: string) => {
  if (part.length === 2) return part.toUpperCase();
  return part.length === 4 ? part.slice(0, 1).toUpperCase() + part.slice(1) : part;
};

/**
 * A language tag in its usual spelling, such as `zh-Hant-TW`: tags that differ only by case become equal (RFC 5646
 * section 2.1.1).
 */
export function tagOf(language: string): string {
  const [first = '', ...parts] = language.toLowerCase().split('-');
  return [first, ...parts.map(inUsualCase)].join('-');
}

/** Returns the same, with the languages of its labels in their usual spelling. */
export function withTags<T extends Labelled>(labelled: T): T {
  const labels: Labelled = {};
  for (const member of MEMBERS) {
    const label = labelled[member];
    if (typeof label !== 'object') continue;
    labels[member] = Object.fromEntries(
      Object.entries(label).map(([language, text]) => [tagOf(language), text]),
    );
  }
  return { ...labelled, ...labels };
}

/** One fault for each language that a label gives twice. */
export function faultsOfLabels(
  labelled: Labelled,
  faultAt: (pointer: string, fault: string) => DocumentFault,
): DocumentFault[] {
  return MEMBERS.flatMap((member) => {
    const languages = languagesOf(labelled[member]);
    const tags = languages.map(tagOf);
    return repeatedIn(tags).map((at) => {
      const first = languages[tags.indexOf(tags[at] as string)];
      const fault = `is the same language as "${first}": keep one`;
      return faultAt(`/${member}/${languages[at]}`, fault);
    });
  });
}

/** The language of a document's labels that are one text. */
export const languageOf = ({ value }: ReadDocument<DefinitionsDocument>) => tagOf(value.language ?? 'en');

/** The constraints that documents define, by their names. */
export type Constraints = ReadonlyMap<string, ParameterConstraint>;

/**
 * The constraints in these documents; parameters of every document may name them. One of the `builtIn` files may be
 * replaced. Adds a fault for a name that is defined twice, a value that is allowed twice, and a faulty label.
 */
export function constraintsIn(
  documents: readonly ReadDocument<DefinitionsDocument>[],
  builtIn: readonly string[],
  faults: DocumentFault[],
): Constraints {
  const constraints = new Map<string, ParameterConstraint>();
  const own = new Set<string>();
  for (const document of documents) {
    const { file, value, faultAt } = document;
    for (const [index, { name, values }] of (value.constraints ?? []).entries()) {
      const fault = (pointer: string, why: string) =>
        faults.push(faultAt(`/constraints/${index}${pointer}`, `"${name}" ${why}`));
      if (own.has(name)) fault('/name', 'is defined twice');
      if (!builtIn.includes(file)) own.add(name);
      const allowed = values.map((each) => (typeof each === 'object' ? withTags(each) : { value: each }));
      for (const at of repeatedIn(allowed.map((each) => each.value)))
        fault(`/values/${at}`, `allows ${JSON.stringify(allowed[at]?.value)} twice`);
      for (const [at, each] of values.entries()) {
        if (typeof each !== 'object') continue;
        const place = `/constraints/${index}/values/${at}`;
        faults.push(...faultsOfLabels(each, (pointer, why) => faultAt(place + pointer, why)));
      }
      constraints.set(name, { name, values: allowed, language: languageOf(document) });
    }
  }
  return constraints;
}

/**
 * The faults of the parameters of an action or a condition: a repeated name, a faulty label, or an allowed value that does not have the
 * parameter's type.
 */
export function faultsOfParameters(
  { parameters = [] }: Pick<DefinitionsDocument['definitions'][number], 'parameters'>,
  constraints: Constraints,
  faultAt: (pointer: string, fault: string) => DocumentFault,
): DocumentFault[] {
  const repeated = repeatedIn(parameters.map(({ name }) => name)).map((at) =>
    faultAt(`/parameters/${at}/name`, `"${parameters[at]?.name}" is given twice`),
  );
  const unfit = parameters.flatMap(({ type, constraint = '' }, at) => {
    const value = constraints.get(constraint)?.values.find((each) => !canHave(type, each.value));
    if (value === undefined) return [];
    const fault = `"${constraint}" allows ${JSON.stringify(value.value)}, which is no ${type}`;
    return [faultAt(`/parameters/${at}/constraint`, fault)];
  });
  const labels = parameters.flatMap((parameter, at) =>
    faultsOfLabels(parameter, (pointer, fault) => faultAt(`/parameters/${at}${pointer}`, fault)),
  );
  return [...repeated, ...labels, ...unfit];
}
