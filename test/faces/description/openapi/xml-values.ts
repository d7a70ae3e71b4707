import type { Element } from '../../../capabilities/action-definitions/rule/xml.ts';

/** The part of a schema that says how to read XML (OpenAPI 3.1.1, section 4.8.26). */
interface XmlSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, XmlSchema>>;
  readonly items?: XmlSchema;
  readonly xml?: { readonly name?: string; readonly wrapped?: boolean };
}

/** The value of an element and its children, read by its schema. */
export function valueIn(tree: Element, schema: XmlSchema, resolve: (reference: string) => object): unknown {
  if (schema.$ref !== undefined) return valueIn(tree, resolve(schema.$ref), resolve);
  const { type, properties = {}, items = {}, xml: { name = tree.name } = {} } = schema;
  if (tree.name !== name) throw new Error(`${tree.name} stands where ${name} is described`);
  if (type === 'array') return tree.children.map((child) => valueIn(child, items, resolve));
  if (type === 'object') {
    const nameOf = (key: string, member: XmlSchema) =>
      member.type === 'array' ? key : (member.xml?.name ?? key);
    const members = Object.entries(properties).map(
      ([key, member]) => [nameOf(key, member), key, member] as const,
    );
    return Object.fromEntries(
      tree.children.map((child) => {
        const [, key = child.name, member = {}] = members.find(([name]) => name === child.name) ?? [];
        return [key, valueIn(child, member, resolve)];
      }),
    );
  }
  if (type === 'integer' || type === 'number') return Number(tree.text);
  if (type === 'boolean') return tree.text === 'true' || (tree.text === 'false' ? false : tree.text);
  return tree.text;
}
