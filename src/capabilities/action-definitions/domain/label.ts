import { widened } from '../../../core/domain/language.ts';

/** A text for people: one text, or one for each language (BCP 47 tag). */
export type Label = string | Readonly<Record<string, string>>;

/** The languages of a label that has several. */
export function languagesOf(label: Label | undefined): readonly string[] {
  return typeof label === 'object' ? Object.keys(label) : [];
}

/** The label in the first of these languages that it has, otherwise in any language. */
export function inLanguage(
  label: Label | undefined,
  ...languages: readonly (string | undefined)[]
): string | undefined {
  if (typeof label !== 'object') return label;
  const candidates = languages.flatMap((language) => (language === undefined ? [] : widened(language)));
  const best = candidates.find((language) => Object.hasOwn(label, language));
  return best === undefined ? Object.values(label)[0] : label[best];
}
