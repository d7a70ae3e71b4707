import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Passkey } from '../../../core/domain/passkey.ts';
import type { PasskeyAnswer } from './answer.ts';
import type { RelyingParty } from './relying-party.ts';

/** Loaded with the first answer: most services verify passwords alone. */
const library = () => import('@simplewebauthn/server');

/** Ids of COSE (RFC 9053, RFC 8812) for the signatures that are accepted: Ed25519, ES256 and RS256, best first. */
export const ALGORITHMS = [-8, -7, -257];

/** What a new passkey is made of. */
export type NewPasskey = Pick<Passkey, 'credentialId' | 'publicKey' | 'signCount' | 'transports'>;

/**
 * The passkey that an authenticator made, after the steps of WebAuthn section 7.1; undefined if one of them fails. The caller
 * has opened the challenge.
 */
export async function verifiedRegistration(
  answer: PasskeyAnswer<RegistrationResponseJSON>,
  party: RelyingParty,
): Promise<NewPasskey | undefined> {
  // The library lets an answer within another page pass if the browser does not name that page.
  if (answer.crossOrigin) return undefined;
  const { verifyRegistrationResponse } = await library();
  const { response, challenge } = answer;
  const expected = { expectedChallenge: challenge, expectedOrigin: party.origin, expectedRPID: party.id };
  const options = {
    response,
    ...expected,
    requireUserVerification: false,
    supportedAlgorithmIDs: ALGORITHMS,
  };
  // The library throws for each step that fails.
  const verified = await verifyRegistrationResponse(options).catch(() => undefined);
  if (!verified?.verified) return undefined;
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  return {
    credentialId: Buffer.from(id, 'base64url'),
    publicKey: Buffer.from(publicKey),
    signCount: counter,
    transports: response.response.transports ?? [],
  };
}

/** What an authenticator proved: that it has the passkey, and perhaps that its user unlocked it. */
export interface PasskeyProof {
  /** Whether the authenticator verified the user, by a PIN or a finger for instance. */
  readonly userVerified: boolean;
  readonly signCount: number;
}

/**
 * What the answer proves about this passkey, after the steps of WebAuthn section 7.2; undefined if one of them fails. The caller
 * has opened the challenge, and compares the count and the time of the challenge when it writes them (`isNewUse`).
 */
export async function verifiedAssertion(
  answer: PasskeyAnswer<AuthenticationResponseJSON>,
  { credentialId, publicKey, userHandle }: Passkey,
  party: RelyingParty,
): Promise<PasskeyProof | undefined> {
  const { response, challenge } = answer;
  const handle = response.response.userHandle;
  if (answer.crossOrigin) return undefined;
  if (handle !== undefined && !Buffer.from(handle, 'base64url').equals(userHandle)) return undefined;
  const { verifyAuthenticationResponse } = await library();
  // The write unit compares the stored count, since another sign-in may raise it until then. So the library gets none.
  const credential = {
    id: credentialId.toString('base64url'),
    publicKey: new Uint8Array(publicKey),
    counter: 0,
  };
  const expected = { expectedChallenge: challenge, expectedOrigin: party.origin, expectedRPID: party.id };
  const options = { response, ...expected, credential, requireUserVerification: false };
  const verified = await verifyAuthenticationResponse(options).catch(() => undefined);
  if (!verified?.verified) return undefined;
  const { userVerified, newCounter } = verified.authenticationInfo;
  return { userVerified, signCount: newCounter };
}
