/** A JSON object of SCIM: a resource, or a complex value in it. */
export type Attributes = Readonly<Record<string, unknown>>;

export const CORE_USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const CORE_GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const ENTERPRISE_USER = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** Where a value stands: the name of an attribute, and that of a sub-attribute. An extension's URN comes first. */
export type AttributePath = readonly string[];

/** The schemas whose attributes stand in the resource itself. */
const IN_RESOURCE = [CORE_USER, CORE_GROUP].map((urn) => urn.toLowerCase());

/** The name of an attribute or a sub-attribute (RFC 7644 section 3.5.2: ATTRNAME, and `$ref`). */
const NAME = /^[a-z$][\w$-]*$/i;

/** Whether a value is a JSON object. */
export function isAttributes(value: unknown): value is Attributes {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The path in a text such as `name.givenName` or `urn:…:User:organization`; undefined if it is none. */
export function attributePath(text: string): AttributePath | undefined {
  if (text.toLowerCase() === ENTERPRISE_USER.toLowerCase()) return [ENTERPRISE_USER];
  const colon = text.lastIndexOf(':');
  const names = text.slice(colon + 1).split('.');
  if (!names.every((name) => NAME.test(name))) return undefined;
  const urn = text.slice(0, Math.max(colon, 0));
  return urn === '' || IN_RESOURCE.includes(urn.toLowerCase()) ? names : [urn, ...names];
}

/** The name under which an object has an attribute, whose case does not count (RFC 7643 section 2.1); undefined without it. */
export function nameIn(of: Attributes, name: string): string | undefined {
  if (Object.hasOwn(of, name)) return name;
  const sought = name.toLowerCase();
  return Object.keys(of).find((key) => key.toLowerCase() === sought);
}

/** The value of an attribute; undefined without it, or if it is null. */
export function valueIn(of: Attributes, name: string): unknown {
  const key = nameIn(of, name);
  return key === undefined ? undefined : (of[key] ?? undefined);
}

/** The values at a path: none, one, or several where the path leads through a list. */
export function valuesAt(of: unknown, [name, ...rest]: AttributePath): readonly unknown[] {
  if (Array.isArray(of)) return of.flatMap((each) => valuesAt(each, [name as string, ...rest]));
  if (!isAttributes(of)) return [];
  const value = valueIn(of, name as string);
  if (value === undefined) return [];
  return rest.length === 0 ? [value].flat() : valuesAt(value, rest);
}

/** Whether two paths are the same. */
export function isSamePath(one: AttributePath, other: AttributePath): boolean {
  return one.join('.').toLowerCase() === other.join('.').toLowerCase();
}
