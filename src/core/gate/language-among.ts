import Negotiator from 'negotiator';
import { widened } from '../domain/language.ts';

/** Languages of a caller that are looked at. Each is compared with every language that there is. */
const MOST_LANGUAGES = 1_000;

/** Subtags of a caller's language that are looked at. No language that there is has as many. */
const MOST_SUBTAGS = 8;

/** A caller's language and, with the same weight, the wider ones that negotiator does not try: it tries only the widest. */
function withWider(language: string): string | string[] {
  // Most languages have no wider one between, such as en-GB.
  if (language.indexOf('-') === language.lastIndexOf('-')) return language;
  const [tag = '', ...weight] = language.split(';');
  const wider = widened(tag.split('-', MOST_SUBTAGS).join('-')).slice(1, -1);
  return [language, ...wider.map((each) => [each, ...weight].join(';'))];
}

/** The language that the caller prefers (RFC 9110 section 12.5.4), or the first one if the caller accepts none of them. */
export function languageAmong(
  languages: readonly string[],
  acceptLanguage: string | undefined,
): string | undefined {
  if (acceptLanguage === undefined || languages.length === 1) return languages[0];
  const accepted = acceptLanguage.split(',', MOST_LANGUAGES).flatMap(withWider);
  const negotiator = new Negotiator({
    headers: { 'accept-language': accepted.slice(0, MOST_LANGUAGES).join(',') },
  });
  return negotiator.language([...languages]) ?? languages[0];
}
