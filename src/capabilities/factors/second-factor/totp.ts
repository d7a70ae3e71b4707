import { randomBytes } from 'node:crypto';

/** Bytes of a secret: the length of SHA-1 (RFC 4226 section 4, R6). */
const SECRET_BYTES = 20;
const DIGITS = 6;
/** Seconds of a time step (RFC 6238 section 4.1). */
const PERIOD = 30;
/** How many steps the clock of the device may be ahead or behind (RFC 6238 section 6). */
const DRIFT = 1;

const loaded = () => import('otpauth');

/** A new random secret. */
export const newTotpSecret = (): Buffer => randomBytes(SECRET_BYTES);

const parametersOf = async (secret: Buffer) => {
  const { Secret } = await loaded();
  const { buffer, byteOffset, byteLength } = Uint8Array.from(secret);
  return {
    algorithm: 'SHA1',
    digits: DIGITS,
    period: PERIOD,
    secret: new Secret({ buffer: buffer.slice(byteOffset, byteOffset + byteLength) }),
  };
};

/** The secret that this text has in base32. Throws if it is no base32. */
export async function totpSecretIn(base32: string): Promise<Buffer> {
  const { Secret } = await loaded();
  return Buffer.from(Secret.fromBase32(base32).bytes);
}

/** The secret in base32, as other programs read it. */
export const totpSecretText = async (secret: Buffer): Promise<string> =>
  (await parametersOf(secret)).secret.base32;

/** What an authenticator app is given of a secret. */
export interface TotpKey {
  /** The secret in base32, in groups of four, for people who type it. */
  readonly text: string;
  /** The address `otpauth://` that a QR code holds. */
  readonly uri: string;
}

/** What the app of this user is given. `issuer` is the name under which it shows the code. */
export async function totpKey(secret: Buffer, issuer: string, userName: string): Promise<TotpKey> {
  const { TOTP } = await loaded();
  const parameters = await parametersOf(secret);
  const totp = new TOTP({ ...parameters, issuer, label: userName });
  return { text: parameters.secret.base32.replaceAll(/.{4}(?=.)/g, '$& '), uri: totp.toString() };
}

/**
 * The time step whose code this is, at most one step before or after `now` (epoch milliseconds). Undefined if it is no
 * such code, or of `lastStep` or an earlier step: each code is accepted once (RFC 6238 section 5.2).
 */
export async function stepOfCode(
  secret: Buffer,
  code: string,
  now: number,
  lastStep: number,
): Promise<number | undefined> {
  const { TOTP } = await loaded();
  const parameters = await parametersOf(secret);
  const delta = TOTP.validate({ ...parameters, token: code, timestamp: now, window: DRIFT });
  if (delta === null) return undefined;
  const step = TOTP.counter({ period: PERIOD, timestamp: now }) + delta;
  return step > lastStep ? step : undefined;
}
