import Negotiator from 'negotiator';
import { widened } from '../domain/label.ts';

/** Languages of a caller that are looked at: each is compared with every one that there is. */
const MOST_LANGUAGES = 1_000;

/** Parts of a caller's language that are looked at: no language that there is has as many. */
const MOST_PARTS = 8;

/** A caller's language and, liked as much, the wider ones of several parts: negotiator itself knows the widest. */
function withWider(language: string): string | string[] {
  // Most have none between, as en-GB.
  if (language.indexOf('-') === language.lastIndexOf('-')) return language;
  const [tag = '', ...weight] = language.split(';');
  const wider = widened(tag.split('-', MOST_PARTS).join('-')).slice(1, -1);
  return [language, ...wider.map((each) => [each, ...weight].join(';'))];
}

/** The language that the caller likes best (RFC 9110 section 12.5.4); the first one where it names none of them. */
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
