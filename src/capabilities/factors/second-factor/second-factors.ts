import {
  type SecondFactorRules,
  type TotpSecret,
  totpPurpose,
  typedOneTimePassword,
} from '../../../core/domain/second-factor.ts';
import type { Sealer } from '../../../core/sealing/sealer.ts';
import type { ReadUnit, WriteUnit } from '../../../core/storage/store.ts';
import { digestOfRecoveryCode } from './recovery-codes.ts';
import { newTotpSecret, stepOfCode } from './totp.ts';

/** A code that was right when it was judged. It counts once: the unit that relies on it spends it. */
export type JudgedCode =
  | { readonly kind: 'one-time password'; readonly step: number }
  | { readonly kind: 'recovery code'; readonly digest: Buffer };

interface SecondFactorParts {
  readonly rules: SecondFactorRules;
  /** What encrypts secrets in the store; undefined without keys. */
  readonly sealer: Sealer | undefined;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** Called when the secret of a user cannot be decrypted. */
  readonly onUnreadable: (userId: number) => void;
}

declare module '../../../core/browser-context.ts' {
  interface BrowserTools {
    /** Judges the codes of second factors. Its rules say when one is asked for. */
    readonly secondFactors: SecondFactors;
  }
}

/** Judges the codes of second factors, and encrypts the secrets of authenticator apps. */
export class SecondFactors {
  readonly rules: SecondFactorRules;
  readonly #parts: SecondFactorParts;

  constructor(parts: SecondFactorParts) {
    this.rules = parts.rules;
    this.#parts = parts;
  }

  /** Whether users can register authenticator apps. */
  get takesApps(): boolean {
    return this.#parts.rules.mode !== 'off' && this.#parts.sealer !== undefined;
  }

  /** A new secret for an app. */
  newSecret(): Buffer {
    return newTotpSecret();
  }

  /** The time step of the first code of an app with this secret; undefined if the code is wrong. */
  async firstStep(secret: Buffer, code: string): Promise<number | undefined> {
    const typed = typedOneTimePassword(code);
    return typed === undefined ? undefined : stepOfCode(secret, typed, this.#parts.clock(), 0);
  }

  /** Encrypts the secret of a user's app. Throws without keys: see {@link takesApps}. */
  encrypt(userId: number, secret: Buffer): Buffer {
    const { sealer } = this.#parts;
    if (sealer === undefined) throw new Error('no keys to encrypt the secret of an app with');
    return sealer.seal(totpPurpose(userId), secret);
  }

  /** What the typed code of this user is; undefined if it is wrong, or was used before. */
  async judge(
    unit: Pick<ReadUnit, 'totpSecrets' | 'recoveryCodes'>,
    userId: number,
    code: string,
  ): Promise<JudgedCode | undefined> {
    const digest = digestOfRecoveryCode(code);
    if (digest !== undefined)
      return (await unit.recoveryCodes.has(userId, digest)) ? { kind: 'recovery code', digest } : undefined;
    const typed = typedOneTimePassword(code);
    const secret = typed === undefined ? undefined : await unit.totpSecrets.find(userId);
    const step = secret && (await this.#stepOf(secret, typed as string));
    return step === undefined ? undefined : { kind: 'one-time password', step };
  }

  async #stepOf({ userId, secret, lastStep }: TotpSecret, code: string): Promise<number | undefined> {
    const opened = this.#parts.sealer?.open(totpPurpose(userId), secret);
    if (opened !== undefined) return stepOfCode(opened, code, this.#parts.clock(), lastStep);
    this.#parts.onUnreadable(userId);
    return undefined;
  }

  /** Spends a code in this unit. Returns false, and changes nothing, if it is spent already, or is not the user's. */
  spend(
    { totpSecrets, recoveryCodes }: Pick<WriteUnit, 'totpSecrets' | 'recoveryCodes'>,
    userId: number,
    code: JudgedCode,
  ): Promise<boolean> {
    return code.kind === 'recovery code'
      ? recoveryCodes.use(userId, code.digest)
      : totpSecrets.useStep(userId, code.step);
  }
}
