/** A value for a filter: the characters that have a meaning there are escaped (RFC 4515), and so are control characters. */
export function escaped(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a name may have them, and they must not end the filter.
  return value.replace(/[\0-\x1f\x7f*()\\]/g, (character) => `\\${hexOf(character.charCodeAt(0))}`);
}

const hexOf = (code: number) => code.toString(16).padStart(2, '0');

/** The filter with these values in place of `{name}` and `{dn}`. They are escaped, so that they cannot change the filter. */
export function filled(filter: string, values: { readonly name: string; readonly dn: string }): string {
  return filter.replaceAll(/\{(name|dn)\}/g, (_, which: 'name' | 'dn') => escaped(values[which]));
}

/** The filter for any name: `(mail={name}@example.org)` becomes `(mail=*@example.org)`. */
export function forAnyName(filter: string): string {
  return filter.replaceAll('{name}', '*').replaceAll(/\*{2,}/g, '*');
}

/** A filter that one of these has to match. */
export function anyOf(filters: readonly string[]): string {
  return filters.length === 1 ? (filters[0] as string) : `(|${filters.join('')})`;
}
