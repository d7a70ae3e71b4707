import { hash, randomBytes } from 'node:crypto';
import {
  makeRecoveryCode,
  RECOVERY_CODE_BYTES,
  RECOVERY_CODES,
  typedRecoveryCode,
} from '../../../core/domain/second-factor.ts';

/** The stored digest of a typed recovery code; undefined if the text is none. Its 112 random bits need no slow hash. */
export function digestOfRecoveryCode(text: string): Buffer | undefined {
  const digits = typedRecoveryCode(text);
  return digits === undefined ? undefined : hash('sha256', `recovery code ${digits}`, 'buffer');
}

/** A new set of recovery codes. */
export interface NewRecoveryCodes {
  /** To be shown once. */
  readonly codes: readonly string[];
  /** To be stored. */
  readonly digests: readonly Buffer[];
}

/** Makes a set of recovery codes. */
export function newRecoveryCodes(): NewRecoveryCodes {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    makeRecoveryCode(randomBytes(RECOVERY_CODE_BYTES)),
  );
  return { codes, digests: codes.map((code) => digestOfRecoveryCode(code) as Buffer) };
}
