import type { DocumentFault } from '../documents/read-document.ts';
import { type Label, languagesOf } from '../domain/label.ts';
import { repeatedIn } from './repeated.ts';

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
