import type { RecordedEvent } from '../../../../core/domain/event.ts';
import { isRefusal, type Refusal } from '../../../../core/domain/refusal.ts';
import type { TicketAndOwner, TicketState } from '../../../../core/domain/ticket.ts';
import type { User } from '../../../../core/domain/user.ts';
import type { OperationTools } from '../../../../core/operation.ts';
import type { ReadUnit } from '../../../../core/storage/store.ts';
import type { RunOperation } from '../../../../faces/pages/console/change.ts';
import type { UserSections, UserShare } from '../../../../faces/pages/console/user-sections.ts';
import groupsGet from '../../../people/operations/admin/groups/groups.get.ts';
import type { UserShown } from '../../../people/representations/admin/user.ts';
import { barOf, describeUser } from '../../../people/rules/describe-user.ts';
import { type SignInRules, signInOf } from '../../../people/rules/sign-in-facts.ts';
import { lastOwn, userEventsOf } from '../../../people/rules/user-events.ts';
import type { SignInFinding } from '../../../people/rules/why-not-sign-in.ts';
import type { ListedTicket } from '../../representations/ticket.ts';
import type { GroupSearch } from './user-view.ts';

/** The groups that a search offers, and the events that the page shows. */
const GROUPS = 10;
const EVENTS = 20;

/** What the overview is read with. */
interface OverviewContext extends Pick<OperationTools, 'countAppPasswords'> {
  readonly store: ReadUnit;
  readonly run: RunOperation;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly rules: SignInRules;
  isLocked(user: User): boolean;
  ticketState(ticket: TicketAndOwner): TicketState;
}

/** Everything about a user that the console shows. */
interface UserOverview {
  readonly view: UserShown;
  /** The live tickets, oldest first. */
  readonly tickets: readonly ListedTicket[];
  /** The latest events, the newest first. */
  readonly events: readonly RecordedEvent[];
  readonly signIn: SignInFinding;
  readonly search: GroupSearch | undefined;
  /** What capabilities show. */
  readonly shares: readonly UserShare[];
}

async function liveTicketsOf(
  { store: { tickets }, ticketState }: OverviewContext,
  user: User,
): Promise<readonly ListedTicket[]> {
  const [serverGeneration, all] = await Promise.all([tickets.serverGeneration(), tickets.listOf(user.id)]);
  const live = all
    .map((ticket) => ({ ticket, state: ticketState({ ticket, user, serverGeneration }) }))
    .filter(({ state }) => state === 'valid' || state === 'suspended');
  const origins = await tickets.originsOf(live.map(({ ticket }) => ticket));
  return live.map((each, at) => ({ ...each, origin: origins[at] }));
}

async function latestEventsOf(
  { store, rules: { keyOf } }: OverviewContext,
  user: User,
): Promise<readonly RecordedEvent[]> {
  const latest = await store.events.latest({ user: user.name, limit: EVENTS });
  // The store finds all spellings of a name, which are one user only if the settings say so.
  return latest.filter((event) => keyOf(event.user ?? '') === user.key);
}

async function searchGroups(
  { run }: OverviewContext,
  group: string | undefined,
): Promise<GroupSearch | Refusal | undefined> {
  if (group === undefined) return undefined;
  const found = await run(groupsGet, { query: { search: group.trim(), limit: String(GROUPS) } });
  return isRefusal(found) ? found : { group, groups: found.value.items };
}

/**
 * Reads everything about the user once, with what these sections show and the groups whose names begin with `group`. Reads that
 * depend on nothing but the user are sent together.
 */
export async function overviewOf(
  context: OverviewContext,
  user: User,
  sections: readonly UserSections[],
  group: string | undefined,
): Promise<UserOverview | Refusal> {
  const { store, now, rules, isLocked } = context;
  const locked = isLocked(user);
  const bar = barOf(user, locked);
  const told = userEventsOf(store, user);
  const barred = bar && told.then((events) => lastOwn(events[bar], user));
  const [view, tickets, events, signIn, search, shares] = await Promise.all([
    describeUser(store, user, locked, barred, context.countAppPasswords),
    liveTicketsOf(context, user),
    latestEventsOf(context, user),
    signInOf(store, user, now, rules, told),
    searchGroups(context, group),
    Promise.all(sections.map((each) => each.read(store, user))),
  ]);
  return isRefusal(search) ? search : { view, tickets, events, signIn, search, shares };
}
