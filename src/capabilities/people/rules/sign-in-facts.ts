import type { LockOut } from '../../../core/domain/lockout.ts';
import type { ProviderState } from '../../../core/domain/running-service.ts';
import { liveAmong, type TicketLimits } from '../../../core/domain/ticket.ts';
import { type User, userKey } from '../../../core/domain/user.ts';
import type { ReadUnit } from '../../../core/storage/store.ts';
import { lastEvent } from './find-user.ts';
import { lastOwn, type UserEvents, userEventsOf } from './user-events.ts';
import { type SignInFinding, whyNotSignIn, whyUnknown } from './why-not-sign-in.ts';

/** The rules about sign-ins that the store does not hold. */
export interface SignInRules {
  /** The key by which the store finds the user of a name. */
  readonly keyOf: (name: string) => string;
  readonly lockOuts: {
    /** The lock-out of the user, and its waits at addresses. */
    ofUser(unit: ReadUnit, user: User, now: number, events: Promise<UserEvents>): Promise<readonly LockOut[]>;
  };
  readonly ticketLimits: TicketLimits;
  /** Whether Tessera asks the server that it replaces about unknown names. */
  readonly asksOldServer: boolean;
  /** Whether Tessera asks a directory about unknown names. */
  readonly asksDirectory: boolean;
  /** What is known of the directory (`ldap`) or the identity provider with this id. */
  readonly providerState: (id: string) => ProviderState;
}

/** The characters of the shortest text that the store searches for in names. */
const SHORTEST_PART = 3;
const MOST_SPELLINGS = 100;

/** Why the user of this name can or cannot sign in at `now`, in epoch milliseconds. */
export async function findSignIn(
  unit: ReadUnit,
  name: string,
  now: number,
  rules: SignInRules,
): Promise<SignInFinding> {
  const user = await unit.users.findByKey(rules.keyOf(name));
  if (user !== undefined) return signInOf(unit, user, now, rules);
  const removed = (await unit.users.wasRemoved(rules.keyOf(name)))
    ? ((await lastEvent(unit, { name }, 'user-removed')) ?? {})
    : undefined;
  const otherName = await otherSpelling(unit, name, rules);
  const { asksOldServer, asksDirectory } = rules;
  return whyUnknown({ name, removed, otherName, asksOldServer, asksDirectory });
}

/** Why this user can or cannot sign in at `now`. `events` are those of the user, if the caller reads them anyhow. */
export async function signInOf(
  unit: ReadUnit,
  user: User,
  now: number,
  rules: SignInRules,
  events: Promise<UserEvents> = userEventsOf(unit, user),
): Promise<SignInFinding> {
  const [told, provider, lockOuts, full] = await Promise.all([
    events,
    providerOf(unit, user, rules),
    rules.lockOuts.ofUser(unit, user, now, events),
    fullAt(unit, user, now, rules.ticketLimits),
  ]);
  return whyNotSignIn({ user, ...factsIn(told, user), provider, lockOuts, fullAt: full });
}

/** What the events tell of a user. */
function factsIn(events: UserEvents, user: User) {
  // Events from before the user was added are of an earlier user of the name.
  const addedAt = lastOwn(events['user-added'], user)?.at ?? 0;
  const last = (kind: keyof UserEvents) => {
    const event = lastOwn(events[kind], user);
    return event !== undefined && event.at >= addedAt ? event : undefined;
  };
  const [login, accepted] = [last('login'), last('password-accepted')];
  const lastSuccess = (accepted?.at ?? 0) > (login?.at ?? 0) ? accepted : login;
  const since = lastSuccess?.at ?? addedAt;
  return {
    barred: last(user.disabled ? 'user-disabled' : 'lock'),
    lastSuccess,
    refusals: events['login-refused'].filter((event) => event.user === user.name && event.at >= since),
    passwordSet: last('password-changed'),
  };
}

/** The facts about the provider of a user; undefined for a local user. */
async function providerOf(unit: ReadUnit, { id, provider }: User, { providerState }: SignInRules) {
  if (provider === undefined) return undefined;
  const identity = await unit.externalIdentities.ofUser(id);
  return { disabledThere: identity?.disabledThere === true, state: providerState(provider) };
}

/** How many live tickets the user has, if the limits refuse one more; undefined if they do not. */
async function fullAt(
  { tickets }: ReadUnit,
  user: User,
  now: number,
  { lifetime, perUser, whenFull }: TicketLimits,
): Promise<number | undefined> {
  if (whenFull !== 'refuse' || perUser === 0 || (await tickets.countOf(user.id)) < perUser) return undefined;
  const generation = await tickets.serverGeneration();
  const live = liveAmong(await tickets.listOf(user.id), user, generation, now, lifetime);
  return live.length < perUser ? undefined : live.length;
}

/** The name of the user that differs from this name by case only, where case counts. */
async function otherSpelling(
  { users }: ReadUnit,
  name: string,
  { keyOf }: SignInRules,
): Promise<string | undefined> {
  if (keyOf('a') === keyOf('A')) return undefined;
  const folded = userKey(name);
  const found =
    [...folded].length < SHORTEST_PART
      ? await Promise.all([folded, name.toUpperCase()].map((each) => users.findByKey(keyOf(each))))
      : await users.search({ part: folded }, undefined, MOST_SPELLINGS);
  return found.find((user) => user !== undefined && userKey(user.name) === folded)?.name;
}
