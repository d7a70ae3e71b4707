/** A program that is registered to ask about tickets and to end them (RFC 6749 section 2). */
export interface RegisteredClient {
  /** Its `client_id`, compared by its code units. */
  readonly name: string;
  /** The SHA-256 of its secret, 32 bytes: the only trace of it that is kept. */
  readonly secretDigest: Buffer;
  /** Epoch milliseconds. */
  readonly addedAt: number;
}

/** How many random bytes a client's secret is made of: 256 bits. */
export const SECRET_BYTES = 32;

/** A client's secret over {@link SECRET_BYTES} bytes of the system's randomness: `SECRET_` and 64 lower-case hex digits. */
export function makeClientSecret(random: Buffer): string {
  return `SECRET_${random.toString('hex')}`;
}

/** What neither Basic nor a form changes on its way: no client can then disagree with us about how it is encoded. */
const NAME = /^[A-Za-z0-9._-]{1,64}$/;

/** Why a client cannot be named so, with the mend; nothing when it can. */
export function faultOfClientName(name: string): string | undefined {
  if (!NAME.test(name))
    return 'the name of a client has 1 to 64 characters: letters A to Z, digits, dots, hyphens and underscores';
  if (name.toLowerCase() === 'role_ticket')
    return 'ROLE_TICKET marks a ticket in Basic authentication: choose another name';
  return undefined;
}
