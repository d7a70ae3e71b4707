import { BerReader, BerWriter, ProtocolOperation } from 'ldapts';

/** Result codes (RFC 4511, appendix A). */
export const RESULT = {
  success: 0,
  operationsError: 1,
  protocolError: 2,
  sizeLimitExceeded: 4,
  strongerAuthRequired: 8,
  referral: 10,
  noSuchObject: 32,
  constraintViolation: 19,
  invalidCredentials: 49,
  insufficientAccessRights: 50,
  unavailable: 52,
  unwillingToPerform: 53,
} as const;

/** How an operation ended, with the words of Active Directory. */
export interface Outcome {
  readonly code: number;
  readonly matched?: string;
  readonly message?: string;
  readonly referral?: string;
}

export const PAGED_RESULTS = '1.2.840.113556.1.4.319';

/** The page that a search asks for. */
export interface AskedPage {
  readonly size: number;
  readonly cookie: string;
}

/** Makes a message of what `write` writes. */
function message(id: number, write: (writer: BerWriter) => void): Buffer {
  const writer = new BerWriter();
  writer.startSequence();
  writer.writeInt(id);
  write(writer);
  writer.endSequence();
  return writer.buffer;
}

/** The message that ends an operation. With a `cookie` it tells where the next page starts, '' that there is none. */
export function doneMessage(id: number, operation: number, outcome: Outcome, cookie?: string): Buffer {
  return message(id, (writer) => {
    writer.startSequence(operation);
    writer.writeEnumeration(outcome.code);
    writer.writeString(outcome.matched ?? '');
    writer.writeString(outcome.message ?? '');
    if (outcome.referral !== undefined) {
      writer.startSequence(0xa3);
      writer.writeString(outcome.referral);
      writer.endSequence();
    }
    writer.endSequence();
    if (cookie !== undefined) writePageControl(writer, cookie);
  });
}

function writePageControl(writer: BerWriter, cookie: string): void {
  const value = new BerWriter();
  value.startSequence();
  value.writeInt(0);
  value.writeString(cookie);
  value.endSequence();
  writer.startSequence(ProtocolOperation.LDAP_CONTROLS);
  writer.startSequence();
  writer.writeString(PAGED_RESULTS);
  writer.writeBuffer(value.buffer, 0x04);
  writer.endSequence();
  writer.endSequence();
}

/** The message with an entry that was found. */
export function entryMessage(
  id: number,
  dn: string,
  attributes: Iterable<readonly [string, readonly (string | Buffer)[]]>,
): Buffer {
  return message(id, (writer) => {
    writer.startSequence(ProtocolOperation.LDAP_RES_SEARCH_ENTRY);
    writer.writeString(dn);
    writer.startSequence();
    for (const [name, values] of attributes) {
      writer.startSequence();
      writer.writeString(name);
      writer.startSequence(ProtocolOperation.LBER_SET);
      for (const value of values) writer.writeBuffer(Buffer.from(value), 0x04);
      writer.endSequence();
      writer.endSequence();
    }
    writer.endSequence();
    writer.endSequence();
  });
}

/** The message that names another server, which has a part of what was searched. */
export function referenceMessage(id: number, url: string): Buffer {
  return message(id, (writer) => {
    writer.startSequence(ProtocolOperation.LDAP_RES_SEARCH_REF);
    writer.writeString(url);
    writer.endSequence();
  });
}

/** The page that the controls behind a request ask for. */
export function askedPage(reader: BerReader): AskedPage | undefined {
  if (reader.peek() !== ProtocolOperation.LDAP_CONTROLS) return undefined;
  reader.readSequence();
  const end = reader.offset + reader.length;
  while (reader.offset < end) {
    reader.readSequence();
    const next = reader.offset + reader.length;
    const type = reader.readString();
    if (reader.peek() === 0x01) reader.readBoolean();
    if (type === PAGED_RESULTS) {
      const value = new BerReader(reader.readString(0x04, true) ?? Buffer.alloc(0));
      value.readSequence();
      return { size: value.readInt() ?? 0, cookie: value.readString() ?? '' };
    }
    reader.offset = next;
  }
  return undefined;
}
