/** A language and the wider ones it belongs to, the narrowest first (RFC 4647 section 3.4): `de-AT`, `de`. */
export const widened = (language: string) =>
  language.split('-').map((_, index, tags) => tags.slice(0, tags.length - index).join('-'));
