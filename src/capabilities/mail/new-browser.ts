import type { ChangeEvent } from '../../core/domain/event.ts';
import { FAMILIAR_FOR } from '../../core/domain/lockout.ts';
import type { ReadUnit } from '../../core/storage/store.ts';
import type { PageSignIn } from '../../faces/pages/sign-in-tools.ts';
import { isKnownPlace, SIGN_INS } from './letters.ts';

/** How many sign-ins at the address are looked through for the very same browser before those of the network are compared. */
const MOST = 20;

/** The event of a sign-in with a browser that is new, at an address that is not: the log-in itself tells of new addresses. */
export async function newBrowser(
  { events }: ReadUnit,
  { user, ...place }: PageSignIn,
): Promise<ChangeEvent | undefined> {
  const { at, from, program } = place;
  if (!program?.startsWith('Mozilla/')) return undefined;
  const earlier = { user, from, kind: SIGN_INS, since: at - FAMILIAR_FOR, until: at, limit: MOST };
  const here = await events.latest(earlier);
  if (here.length === 0 || here.some((each) => each.program === program)) return undefined;
  const isKnown = await isKnownPlace(events, user, place);
  return isKnown ? undefined : { kind: 'login-unfamiliar', user, reason: 'new browser' };
}
