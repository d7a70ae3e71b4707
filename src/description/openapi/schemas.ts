import type { TSchema } from 'typebox';
import type { Schema } from '../../schema.ts';

/** Whether only the gate reads a member; a property of that name has a schema for its value. */
const isInner = (name: string, value: unknown) =>
  (name === 'refusal' || name === 'refusalFor') && typeof value === 'string';

/** What a component may be called (OpenAPI 3.1.1, section 4.8.7.1): a title without its spaces. */
const componentName = (title: string) => title.replaceAll(/[^\w.-]+/g, '');

/** Gathers the schemas of a document: one with a title is kept once, and referred to by it. */
export class Schemas {
  readonly #components = new Map<string, Schema>();

  /** The schema, or a reference to it. */
  of(schema: TSchema): Schema {
    return this.#plain(JSON.parse(JSON.stringify(schema))) as Schema;
  }

  /** What was kept, by name. */
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
