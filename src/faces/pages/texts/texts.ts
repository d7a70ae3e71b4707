import german from './de.json' with { type: 'json' };
import english from './en.json' with { type: 'json' };
import spanish from './es.json' with { type: 'json' };
import french from './fr.json' with { type: 'json' };

/** The languages of the pages. The first one is for browsers that accept none of them. */
export const LANGUAGES = ['en', 'de', 'es', 'fr'] as const;

export type Language = (typeof LANGUAGES)[number];

type Singular<K> = K extends `${infer B}.one` | `${infer B}.other` ? B : K;

/** The name of a text. A text that counts has the forms `.one` and `.other` under one name. */
export type TextKey = Singular<keyof typeof english>;

/**
 * The text of this name, with the values of its placeholders. Numbers are written as the language writes them. A text with
 * the forms `.one` and `.other` is chosen by its value `count`.
 */
export type Say = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string;

/** The compiler asks for each text in every language. */
const TEXTS: Readonly<Record<Language, typeof english>> = {
  en: english,
  de: german,
  es: spanish,
  fr: french,
};

function makeSay(language: Language): Say {
  const texts: Readonly<Record<string, string>> = TEXTS[language];
  const numbers = new Intl.NumberFormat(language);
  const plurals = new Intl.PluralRules(language);
  return (key, values = {}) => {
    const formOf = () => (plurals.select(Number(values.count)) === 'one' ? 'one' : 'other');
    const text = texts[key] ?? texts[`${key}.${formOf()}`];
    if (text === undefined) throw new Error(`there is no text ${key}`);
    return text.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`the text ${key} lacks its value ${name}`);
      return typeof value === 'number' ? numbers.format(value) : value;
    });
  };
}

/** Makes something for each language. */
export const inEachLanguage = <T>(make: (language: Language) => T): Readonly<Record<Language, T>> =>
  Object.fromEntries(LANGUAGES.map((language) => [language, make(language)])) as Record<Language, T>;

const SAY = inEachLanguage(makeSay);

/** The texts of a language. */
export const sayIn = (language: Language): Say => SAY[language];
