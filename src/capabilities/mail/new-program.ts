import { setTimeout as pause } from 'node:timers/promises';
import { FAMILIAR_FOR } from '../../core/domain/lockout.ts';
import type { ReadUnit, Store } from '../../core/storage/store.ts';
import type { PageSignIn } from '../../faces/pages/sign-in-tools.ts';
import { isKnownPlace, SIGN_INS } from './letters.ts';
import { MAIL_RECEIVER } from './tables/receiver.ts';

/** Milliseconds before each look for the event of a sign-in, whose unit may still be open; and how many looks there are. */
const PAUSE = 100;
const MOST_LOOKS = 20;
/** How many sign-ins of a user at one address are looked through. */
const MOST = 20;

/** Its event, and whether it is one to tell of; undefined if there is no event yet. `login-unfamiliar` tells of new addresses. */
async function judge({ events }: ReadUnit, { user, from, program, at }: PageSignIn) {
  const own = { user, from, kind: SIGN_INS };
  const latest = await events.latest({ ...own, since: at, limit: MOST });
  const event = latest.findLast((each) => each.program === program);
  if (event === undefined) return undefined;
  const [before] = await events.latest({ ...own, since: at - FAMILIAR_FOR, until: event.at, limit: 1 });
  return { event, isNew: before !== undefined && !(await isKnownPlace(events, user, event)) };
}

/** Has mail tell of a sign-in from an address that is not new with a browser that is. No sign-in waits for this. */
export async function tellNewProgram(store: Store, signIn: PageSignIn, signal: AbortSignal): Promise<void> {
  if (!signIn.program?.startsWith('Mozilla/')) return;
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    await pause(PAUSE, undefined, { signal, ref: false });
    const { event, isNew } = (await store.read((unit) => judge(unit, signIn))) ?? {};
    if (event === undefined) continue;
    if (isNew) await store.write(({ webhooks }) => webhooks.enqueue(MAIL_RECEIVER, [event], signIn.at));
    return;
  }
}
