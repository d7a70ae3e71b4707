import type { LockOut } from '../../../../core/domain/lockout.ts';
import { isRefusal, type Refusal } from '../../../../core/domain/refusal.ts';
import { addressWith } from '../../../../faces/pages/console/addresses.ts';
import type { RunOperation } from '../../../../faces/pages/console/change.ts';
import { userLink } from '../../../../faces/pages/console/user-link.ts';
import { eventReasonText } from '../../../../faces/pages/event-texts.ts';
import { type Html, html } from '../../../../faces/pages/html.ts';
import { type Reader, shownTime } from '../../../../faces/pages/layout.ts';
import type { TableColumn } from '../../../../faces/pages/parts/list.ts';
import lockOutsGet from '../../operations/admin/lockouts.get.ts';

/** The pages about lock-outs. */
export const LOCK_OUTS = '/portal/console/lock-outs';

/** The page that asks before it unlocks a user. */
export const unlockAddress = (user: string) => `${LOCK_OUTS}/${encodeURIComponent(user)}/unlock`;

/** Waits and lock-outs, and the cursor of the next ones; undefined after the last. */
interface SomeLockOuts {
  readonly items: readonly LockOut[];
  readonly next: string | undefined;
}

/** Calls of the operation for one page: its answer has few waits, or none, if many refusals are about the same one. */
const MOST_CALLS = 5;

/**
 * The users who are locked out or have to wait, behind this cursor: about `enough`, or fewer if it takes long to find more.
 */
export async function someLockOuts(
  run: RunOperation,
  cursor: string | undefined,
  enough: number,
): Promise<SomeLockOuts | Refusal> {
  const items: LockOut[] = [];
  let next = cursor;
  for (let calls = 0; calls < MOST_CALLS && items.length < enough; calls += 1) {
    const query = { limit: String(enough), ...(next && { cursor: next }) };
    const found = await run(lockOutsGet, { query });
    if (isRefusal(found)) return found;
    items.push(...found.value.items);
    next = found.value.next;
    if (next === undefined) break;
  }
  return { items, next };
}

/** Where a lock-out without an address holds: a right password from a familiar address ends one by failures only. */
const placeOf = (reason: LockOut['reason']) =>
  reason === 'locked-by-hand' ? 'console.lockOuts.everywhere' : 'console.lockOuts.unfamiliar';

function unlockLink({ say }: Reader, user: string): Html {
  const name = say('console.lockOuts.unlockName', { user });
  return html`<a class="button quiet compact" href="${unlockAddress(user)}" aria-label="${name}">${say('console.lockOuts.unlock')}</a>`;
}

/** The columns of a list of waits and lock-outs. */
export function lockOutColumns(reader: Reader): readonly TableColumn<LockOut>[] {
  const { say } = reader;
  const time = (at: number | undefined) => (at === undefined ? undefined : shownTime(at, reader));
  const events = (address: string) =>
    html`<a href="${addressWith('/portal/console/events', { from: address })}">${address}</a>`;
  return [
    {
      heading: say('console.lockOuts.user'),
      cell: ({ user }) => (user === undefined ? say('console.lockOuts.everyName') : userLink(reader, user)),
    },
    {
      heading: say('console.lockOuts.why'),
      cell: ({ reason }) => eventReasonText(say, { kind: 'login-refused', reason }),
    },
    {
      heading: say('console.lockOuts.address'),
      cell: ({ address, reason }) => (address === undefined ? say(placeOf(reason)) : events(address)),
    },
    { heading: say('console.lockOuts.failures'), cell: ({ failures }) => failures, isNumber: true },
    { heading: say('console.lockOuts.since'), cell: ({ since }) => time(since) },
    {
      heading: say('console.lockOuts.until'),
      cell: ({ until }) => time(until) ?? say('console.lockOuts.untilLifted'),
    },
    {
      heading: say('console.lockOuts.action'),
      isPlain: true,
      cell: ({ user }) => user && unlockLink(reader, user),
    },
  ];
}
