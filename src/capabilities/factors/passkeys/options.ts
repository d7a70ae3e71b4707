import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import type { Passkey } from '../../../core/domain/passkey.ts';
import { CHALLENGE_LIFETIME } from './challenge.ts';
import type { RelyingParty } from './relying-party.ts';
import { ALGORITHMS } from './verification.ts';

const descriptorOf = ({ credentialId, transports }: Passkey) => ({
  id: credentialId.toString('base64url'),
  type: 'public-key' as const,
  transports: [...transports],
});

/** The user for whom a passkey is made, as authenticators show it. */
interface NamedUser {
  readonly userHandle: string;
  readonly name: string;
  readonly displayName: string;
}

/**
 * What a browser needs to make a passkey (WebAuthn section 5.4), with its bytes in base64url. An authenticator that has one of
 * the `known` passkeys makes no second one. It should keep the passkey itself, so that the user need not type a name.
 * Asks for no attestation of the maker.
 */
export function creationOptions(
  { id, name: ofService }: RelyingParty & { readonly name: string },
  { userHandle, name, displayName }: NamedUser,
  challenge: string,
  passkeys: readonly Passkey[],
): PublicKeyCredentialCreationOptionsJSON {
  return {
    rp: { id, name: ofService },
    user: { id: userHandle, name, displayName },
    challenge,
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: CHALLENGE_LIFETIME,
    excludeCredentials: passkeys.map(descriptorOf),
    authenticatorSelection: {
      residentKey: 'preferred',
      requireResidentKey: false,
      userVerification: 'preferred',
    },
    attestation: 'none',
  };
}

/**
 * What a browser needs to ask for a passkey (WebAuthn section 5.5): one of these, with the user verified if the authenticator
 * can; or, if none are given, any passkey of the service, with the user verified in every case.
 */
export function requestOptions(
  { id }: RelyingParty,
  challenge: string,
  allowed: readonly Passkey[] | undefined,
): PublicKeyCredentialRequestOptionsJSON {
  return {
    rpId: id,
    challenge,
    timeout: CHALLENGE_LIFETIME,
    allowCredentials: allowed?.map(descriptorOf) ?? [],
    userVerification: allowed === undefined ? 'required' : 'preferred',
  };
}
