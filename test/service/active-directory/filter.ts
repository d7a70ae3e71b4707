import type { BerReader } from 'ldapts';

/** The values of an attribute of an entry. The name may be in any case. */
export type ValuesOf = (attribute: string) => readonly (string | Buffer)[];

/** Whether an attribute matches an assertion by the matching rule with this object identifier. */
export type MatchByRule = (rule: string, attribute: string, assertion: string, valuesOf: ValuesOf) => boolean;

/** A filter of a search request: whether it finds the entry with these values. */
export type EntryFilter = (valuesOf: ValuesOf) => boolean;

const SCHEMA = 'cn=schema,cn=configuration,dc=example,dc=com';

const lower = (value: string | Buffer) => value.toString().toLowerCase();

function equal(value: string | Buffer, assertion: Buffer): boolean {
  if (Buffer.isBuffer(value)) return value.equals(assertion);
  // The name of a class stands for its entry in the schema, as in (objectCategory=person).
  return [lower(assertion), `cn=${lower(assertion)},${SCHEMA}`].includes(lower(value));
}

const octets = (reader: BerReader, tag = 0x04) => reader.readString(tag, true) ?? Buffer.alloc(0);

/** Reads the parts of the element that the reader has just entered. */
function partsOf<T>(reader: BerReader, read: () => T): T[] {
  const end = reader.offset + reader.length;
  const parts: T[] = [];
  while (reader.offset < end) parts.push(read());
  return parts;
}

/** Reads `attribute` and `assertion`, and compares by `holds`. */
function comparison(reader: BerReader, holds: (value: string | Buffer, assertion: Buffer) => boolean) {
  const attribute = octets(reader).toString();
  const assertion = octets(reader);
  return (valuesOf: ValuesOf) => valuesOf(attribute).some((value) => holds(value, assertion));
}

const escaped = (part: string) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

function substrings(reader: BerReader): EntryFilter {
  const attribute = octets(reader).toString();
  reader.readSequence();
  const parts = partsOf(reader, () => {
    const tag = reader.peek() as number;
    const part = escaped(octets(reader, tag).toString());
    return tag === 0x80 ? `^${part}` : tag === 0x82 ? `${part}$` : part;
  });
  const pattern = new RegExp(parts.join('.*'), 'is');
  return (valuesOf) => valuesOf(attribute).some((value) => pattern.test(value.toString()));
}

function extensible(reader: BerReader, matchByRule: MatchByRule): EntryFilter {
  const parts = new Map(
    partsOf(reader, () => {
      const tag = reader.peek() as number;
      return [tag, octets(reader, tag).toString()];
    }),
  );
  const [rule = '', attribute = '', assertion = ''] = [0x81, 0x82, 0x83].map((tag) => parts.get(tag));
  return (valuesOf) => matchByRule(rule, attribute, assertion, valuesOf);
}

/** Reads a filter of a search request (RFC 4511, section 4.5.1.7). Throws on a kind that it does not know. */
export function readFilter(reader: BerReader, matchByRule: MatchByRule): EntryFilter {
  if (reader.peek() === 0x87) {
    const attribute = octets(reader, 0x87).toString();
    return (valuesOf) => valuesOf(attribute).length > 0;
  }
  const kind = reader.readSequence();
  const filters = () => partsOf(reader, () => readFilter(reader, matchByRule));
  if (kind === 0xa0 || kind === 0xa1) {
    const all = filters();
    return (valuesOf) =>
      kind === 0xa0 ? all.every((one) => one(valuesOf)) : all.some((one) => one(valuesOf));
  }
  if (kind === 0xa2) {
    const inner = readFilter(reader, matchByRule);
    return (valuesOf) => !inner(valuesOf);
  }
  if (kind === 0xa3) return comparison(reader, equal);
  if (kind === 0xa4) return substrings(reader);
  if (kind === 0xa5) return comparison(reader, (value, than) => Number(value) >= Number(than));
  if (kind === 0xa6) return comparison(reader, (value, than) => Number(value) <= Number(than));
  if (kind === 0xa9) return extensible(reader, matchByRule);
  throw new Error(`This filter has the unknown kind ${kind}.`);
}
