import type { Entry } from 'ldapts';

/** An entry of the directory. Names of attributes are compared without case. */
export class DirectoryEntry {
  readonly dn: string;
  readonly #values: ReadonlyMap<string, readonly (string | Buffer)[]>;

  constructor({ dn, ...attributes }: Entry) {
    this.dn = dn;
    this.#values = new Map(
      Object.entries(attributes).map(([name, values]) => [name.toLowerCase(), [values].flat()]),
    );
  }

  /** The values of an attribute that are texts, in the order of the server. */
  all(attribute: string): readonly string[] {
    const values = this.#values.get(attribute.toLowerCase()) ?? [];
    return values.filter((value) => typeof value === 'string');
  }

  /** The first value; undefined if there is none, or if it is no text. */
  first(attribute: string): string | undefined {
    return this.all(attribute).find((value) => value !== '');
  }

  /** The first value as bytes. */
  bytes(attribute: string): Buffer | undefined {
    const [value] = this.#values.get(attribute.toLowerCase()) ?? [];
    return typeof value === 'string' ? Buffer.from(value) : value;
  }
}
