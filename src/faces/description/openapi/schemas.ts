import type { TSchema } from 'typebox';
import type { Schema } from '../../../core/schema.ts';

/** Whether only the gate reads this keyword. A property with the same name has a schema as its value. */
const isInner = (name: string, value: unknown) =>
  (name === 'refusal' || name === 'refusalFor') && typeof value === 'string';

/** The component's name (OpenAPI 3.1.1, section 4.8.7.1): the title without spaces. */
const componentName = (title: string) => title.replaceAll(/[^\w.-]+/g, '');

/** Collects the schemas of a document. A schema with a title is defined once and referred to by it. */
export class Schemas {
  readonly #components = new Map<string, Schema>();

  /** The schema, or a reference to it. */
  of(schema: TSchema): Schema {
    return this.#plain(JSON.parse(JSON.stringify(schema))) as Schema;
  }

  /** The collected schemas, by name. */
  get components(): Readonly<Record<string, Schema>> {
    return Object.fromEntries([...this.#components].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  }

  #plain(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((element) => this.#plain(element));
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).filter(([name, member]) => !isInner(name, member));
    const schema = Object.fromEntries(members.map(([name, member]) => [name, this.#plain(member)]));
    const { title, type } = schema;
    if (typeof title !== 'string' || typeof type !== 'string') return schema;
    const name = componentName(title);
    this.#components.set(name, schema);
    return { $ref: `#/components/schemas/${name}` };
  }
}
