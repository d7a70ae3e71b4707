import type { BrowserContext } from '../../../../core/browser-context.ts';
import type { Change } from '../../../../core/domain/outcome.ts';
import type { User } from '../../../../core/domain/user.ts';
import type { WriteUnit } from '../../../../core/storage/store.ts';
import type { Html } from '../../../../faces/pages/html.ts';
import type { Reader } from '../../../../faces/pages/layout.ts';
import { addApp, replaceRecoveryCodes } from '../../rules/second-factors.ts';
import { newRecoveryCodes } from '../../second-factor/recovery-codes.ts';
import { totpKey } from '../../second-factor/totp.ts';
import { appForm } from './app-view.ts';

/** The purpose of the sealed secret in the form, and how long a user may take to scan it. */
const PURPOSE = 'authenticator app';
const LIFETIME = 15 * 60_000;

/** The user for whom an app is registered, and where its form leads. */
interface AppRegistration {
  readonly user: Pick<User, 'id' | 'name'>;
  readonly action: string;
  readonly cancel: string;
}

/** The form with a new secret or, after a wrong code, with the one that the browser sends back. */
export async function appRegistration(
  reader: Reader,
  browser: BrowserContext,
  { user, action, cancel }: AppRegistration,
  secret: Buffer = browser.secondFactors.newSecret(),
  fault?: string,
): Promise<Html> {
  const { hostname } = new URL(browser.origin);
  const key = await totpKey(secret, hostname, user.name);
  const sealed = browser.seal(PURPOSE, { userId: user.id, secret: secret.toString('base64') }, LIFETIME);
  return appForm(reader, { key, sealed, action, cancel, fault });
}

/** The secret that the browser sends back for this user; undefined if it is forged, too old, or another user's. */
export function registeredSecret(
  browser: BrowserContext,
  userId: number,
  sealed: string,
): Buffer | undefined {
  const opened = browser.unseal(PURPOSE, sealed);
  return opened?.userId === userId ? Buffer.from(opened.secret as string, 'base64') : undefined;
}

/** A registered second factor, and the recovery codes if the user had none. */
export interface RegisteredFactor extends Change {
  readonly codes: readonly string[] | undefined;
}

/** Keeps an app that the user has confirmed by the code of this step. Gives recovery codes to a user without any. */
export async function keepApp(
  unit: WriteUnit,
  { secondFactors }: BrowserContext,
  user: User,
  { secret, step, now }: { readonly secret: Buffer; readonly step: number; readonly now: number },
): Promise<RegisteredFactor> {
  const added = await addApp(unit, user, { secret: secondFactors.encrypt(user.id, secret), step, now });
  const { events, codes } = await firstRecoveryCodes(unit, user);
  return { events: [...added.events, ...events], codes };
}

/** Gives recovery codes to a user without any. */
export async function firstRecoveryCodes(unit: WriteUnit, user: User): Promise<RegisteredFactor> {
  if ((await unit.recoveryCodes.countOf(user.id)) > 0) return { events: [], codes: undefined };
  const { codes, digests } = newRecoveryCodes();
  const { events } = await replaceRecoveryCodes(unit, user, digests);
  return { events, codes };
}
