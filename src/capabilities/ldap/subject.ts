import { EqualityFilter } from 'ldapts';
import type { DirectoryEntry } from './entry.ts';

/** The attribute of Active Directory that identifies an entry. Its value is 16 bytes, and no text. */
const OBJECT_GUID = 'objectGUID';

const isGuid = (attribute: string) => attribute.toLowerCase() === OBJECT_GUID.toLowerCase();

/** The attributes whose values are to be read as bytes. */
export const BYTES = [OBJECT_GUID];

/** The name under which an attribute is asked for, so that the library knows those with bytes. */
export const askedAs = (attribute: string) => (isGuid(attribute) ? OBJECT_GUID : attribute);

/** The first bytes of a GUID are written in the other order (MS-DTYP 2.3.4). */
const ORDER = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];

function guidText(bytes: Buffer): string | undefined {
  if (bytes.length !== ORDER.length) return undefined;
  const hex = Buffer.from(ORDER.map((at) => bytes[at] as number)).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function guidBytes(text: string): Buffer {
  const bytes = Buffer.from(text.replaceAll('-', ''), 'hex');
  return Buffer.from(ORDER.map((at) => bytes[at] ?? 0));
}

/** The identifier of the entry that never changes, as a text; undefined if it has none. */
export function subjectOf(entry: DirectoryEntry, attribute: string): string | undefined {
  if (!isGuid(attribute)) return entry.first(attribute);
  const bytes = entry.bytes(attribute);
  return bytes && guidText(bytes);
}

/** The filter that finds the entry of a subject. It is no text, since a text cannot carry the bytes of a GUID. */
export function filterOfSubject(subject: string, attribute: string): EqualityFilter {
  return new EqualityFilter({ attribute, value: isGuid(attribute) ? guidBytes(subject) : subject });
}
