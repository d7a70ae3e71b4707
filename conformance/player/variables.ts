/** The values of the placeholders `{{name}}` of a case. */
export type Variables = Readonly<Record<string, string>>;

const PLACEHOLDER = /\{\{(\/?)([a-zA-Z]+)\}\}/g;

function known(name: string, variables: Variables): string {
  const value = variables[name];
  if (value === undefined) throw new Error(`The variable "${name}" was never captured`);
  return value;
}

/** A text with its placeholders replaced. Throws when a variable has no value. */
export function filled(text: string, variables: Variables): string {
  return text.replace(PLACEHOLDER, (_, _slash, name: string) => known(name, variables));
}

/** A request target with its placeholders replaced, percent-encoded; `{{/name}}` keeps its slashes. */
export function filledTarget(text: string, variables: Variables): string {
  return text.replace(PLACEHOLDER, (_, slash: string, name: string) => {
    const value = known(name, variables);
    return slash === '' ? encodeURIComponent(value) : value.split('/').map(encodeURIComponent).join('/');
  });
}

/** A regular expression that matches the values of its placeholders literally. */
export function filledPattern(source: string, variables: Variables): RegExp {
  const literal = (_: string, _slash: string, name: string) =>
    known(name, variables).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return new RegExp(source.replace(PLACEHOLDER, literal), 'u');
}

/** JSON with the placeholders in its texts replaced. */
export function filledJson(value: unknown, variables: Variables): unknown {
  if (typeof value === 'string') return filled(value, variables);
  if (Array.isArray(value)) return value.map((element) => filledJson(element, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, filledJson(member, variables)]),
  );
}
