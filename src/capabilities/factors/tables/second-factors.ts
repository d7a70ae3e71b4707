import type { TotpSecret } from '../../../core/domain/second-factor.ts';

export interface TotpSecretsRead {
  find(userId: number): Promise<TotpSecret | undefined>;
  /** Up to `limit` secrets of users after this one, by ascending ids. */
  page(afterUserId: number, limit: number): Promise<TotpSecret[]>;
}

/** `people/` decides who may have one, and keeps `hasSecondFactor` of the user in step. */
export interface TotpSecrets extends TotpSecretsRead {
  /** Keeps the secret, in place of another one of the user. */
  put(secret: TotpSecret): Promise<void>;
  /** Moves `lastStep` forward to `step`. Returns false, and changes nothing, if it is there or further: the code was used. */
  useStep(userId: number, step: number): Promise<boolean>;
  /** Puts the same secret, encrypted anew, in place of `before`. Returns false, and changes nothing, if the store has another one. */
  encryptAnew(userId: number, before: Buffer, after: Buffer): Promise<boolean>;
  /** Removes the user's secret; returns whether there was one. */
  remove(userId: number): Promise<boolean>;
}

export interface RecoveryCodesRead {
  /** How many recovery codes the user has left. */
  countOf(userId: number): Promise<number>;
  /** Whether the user has the recovery code with this digest. */
  has(userId: number, digest: Buffer): Promise<boolean>;
}

export interface RecoveryCodes extends RecoveryCodesRead {
  /** Replaces the user's recovery codes by those with these digests. */
  put(userId: number, digests: readonly Buffer[]): Promise<void>;
  /** Removes the recovery code with this digest; returns whether there was one. */
  use(userId: number, digest: Buffer): Promise<boolean>;
}
