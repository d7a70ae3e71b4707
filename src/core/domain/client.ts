/** A program that may introspect and revoke tickets (RFC 6749 section 2), unless it has no secret. */
export interface RegisteredClient {
  /** Its `client_id`, compared by code units. */
  readonly name: string;
  /** The SHA-256 of its secret, 32 bytes. The secret itself is not stored. Without a secret it cannot authenticate by one. */
  readonly secretDigest: Buffer | undefined;
  /** Epoch milliseconds. */
  readonly addedAt: number;
}

/** Random bytes in a client's secret: 256 bits. */
export const SECRET_BYTES = 32;

/** Makes a client's secret of {@link SECRET_BYTES} random bytes: `SECRET_` and 64 lower-case hex digits. */
export function makeClientSecret(random: Buffer): string {
  return `SECRET_${random.toString('hex')}`;
}

/** Characters that neither Basic nor forms encode, so that clients cannot encode a name in different ways. */
const NAME = /^[A-Za-z0-9._-]{1,64}$/;

/** Why a client cannot have this name, and what to do; undefined if it can. */
export function faultOfClientName(name: string): string | undefined {
  if (!NAME.test(name))
    return 'the name of a client has 1 to 64 characters: letters A to Z, digits, dots, hyphens and underscores';
  if (name.toLowerCase() === 'role_ticket')
    return 'ROLE_TICKET marks a ticket in Basic authentication: choose another name';
  return undefined;
}
