import { APP_PASSWORD_FORM, type AppPassword, faultOfUse } from '../../../core/domain/app-password.ts';
import { digestOfSecret } from '../../../core/identity/client-secret.ts';
import type {
  PasswordVerdict,
  VerificationRequest,
  Verifier,
} from '../../../core/identity/verifiers/verifier.ts';
import type { ReadUnit, Store } from '../../../core/storage/store.ts';

interface AppPasswordParts {
  readonly store: Store;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** Called for each app password that was accepted. */
  readonly onUse: (appPassword: AppPassword, now: number) => void;
}

/**
 * The verifier of app passwords. Each has 160 random bits and is found by its digest, so no slow hash is computed, and a
 * refusal takes as long for a name that exists as for one that does not.
 */
export class AppPasswordVerifier implements Verifier {
  readonly name = 'app password';
  readonly ownForm = APP_PASSWORD_FORM;
  readonly #parts: AppPasswordParts;

  constructor(parts: AppPasswordParts) {
    this.#parts = parts;
  }

  partIn(): 'decides' {
    return 'decides';
  }

  async verify(request: VerificationRequest, password: string): Promise<PasswordVerdict> {
    return this.#parts.store.read((unit) => this.verifyIn(unit, request, password));
  }

  async verifyIn(
    { appPasswords }: Pick<ReadUnit, 'appPasswords'>,
    { user, address, barred, onPage }: Omit<VerificationRequest, 'standIn'>,
    password: string,
  ): Promise<PasswordVerdict> {
    const found = await appPasswords.findByDigest(digestOfSecret(password));
    if (user === undefined || user.disabled || barred) return { accepted: false };
    if (onPage) return { accepted: false, reason: 'app password on a page' };
    if (found?.userId !== user.id) return { accepted: false, reason: 'unknown app password' };
    const now = this.#parts.clock();
    const reason = faultOfUse(found, now, address);
    if (reason !== undefined) return { accepted: false, reason };
    this.#parts.onUse(found, now);
    return { accepted: true, appPassword: found, isKeptIn: (unit) => isKept(unit, found) };
  }
}

/** Whether an app password that was verified is still kept in this unit. */
export async function isKept(
  { appPasswords }: Pick<ReadUnit, 'appPasswords'>,
  { digest }: AppPassword,
): Promise<boolean> {
  return (await appPasswords.findByDigest(digest)) !== undefined;
}
