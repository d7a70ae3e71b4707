import type { Passkey, PasskeyUse } from '../../../core/domain/passkey.ts';

export interface PasskeysRead {
  find(credentialId: Buffer): Promise<Passkey | undefined>;
  /** The passkeys of the user, the oldest first. */
  ofUser(userId: number): Promise<Passkey[]>;
}

/** `people/` decides who may have one, and keeps `hasSecondFactor` of the user in step. */
export interface Passkeys extends PasskeysRead {
  /** Adds a passkey; returns false, and changes nothing, if there is one of this credential id. */
  add(passkey: Passkey): Promise<boolean>;
  /** Writes a use, if it is a new one (`isNewUse` of `core/domain/passkey.ts`). Returns false, and changes nothing, if it is not. */
  use(credentialId: Buffer, use: PasskeyUse): Promise<boolean>;
  /** Removes the passkey; returns whether there was one. */
  remove(credentialId: Buffer): Promise<boolean>;
}
