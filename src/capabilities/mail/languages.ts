import { LANGUAGES, type Language } from '../../faces/pages/texts/texts.ts';

/** The reason of an event whose letter is written in this language. */
export const inLanguage = (language: string): string => `language ${language}`;

/** The language that the reason of such an event names; undefined for any other reason. */
export const languageIn = ({ reason }: { readonly reason?: string | undefined }): Language | undefined =>
  LANGUAGES.find((each) => reason === inLanguage(each));
