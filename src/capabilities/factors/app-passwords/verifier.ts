import {
  APP_PASSWORD_FORM,
  type AppPassword,
  appPasswordUseIsDue,
  faultOfUse,
} from '../../../core/domain/app-password.ts';
import type { Bookkeeping } from '../../../core/gate/bookkeeping.ts';
import type { WriteUse } from '../../../core/gate/write-buffer.ts';
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
  readonly bookkeeping: Pick<Bookkeeping, 'usedCredential'>;
}

const writeUse: WriteUse = ({ appPasswords }, digest, at) => appPasswords.use(Buffer.from(digest, 'hex'), at);

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
    this.#noteUse(found, now);
    return { accepted: true, appPassword: found, isKeptIn: (unit) => isKept(unit, found) };
  }

  #noteUse(appPassword: AppPassword, now: number): void {
    if (appPasswordUseIsDue(appPassword, now))
      this.#parts.bookkeeping.usedCredential(writeUse, appPassword.digest.toString('hex'), now);
  }
}

/** Whether an app password that was verified is still kept in this unit. */
export async function isKept(
  { appPasswords }: Pick<ReadUnit, 'appPasswords'>,
  { digest }: AppPassword,
): Promise<boolean> {
  return (await appPasswords.findByDigest(digest)) !== undefined;
}
