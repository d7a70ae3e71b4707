import type { RecordedEvent } from '../../../core/domain/event.ts';
import type { LockOut } from '../../../core/domain/lockout.ts';
import type { ProviderState } from '../../../core/domain/running-service.ts';
import { isPasswordless, type User } from '../../../core/domain/user.ts';

/** The reasons why a user can or cannot sign in, the most important first. */
export const SIGN_IN_REASONS = [
  'unknown-name',
  'removed',
  'name-in-other-case',
  'old-server-decides',
  'directory-decides',
  'disabled-by-provider',
  'provider-off',
  'provider-silent',
  'disabled',
  'locked-by-hand',
  'locked',
  'tickets-full',
  'address-waiting',
  'network-waiting',
  'waiting',
  'app-password-needed',
  'password-changed',
  'wrong-password',
  'refused-before',
  'new-password-required',
  'without-password',
  'never-signed-in',
  'signed-in',
] as const;

export type SignInReason = (typeof SIGN_IN_REASONS)[number];

/** Refused logins of one reason from one address. Times are epoch milliseconds. */
export interface RefusedSignIns {
  /** As events have it, such as `wrong-password`. */
  readonly reason: string;
  readonly from: string | undefined;
  readonly count: number;
  readonly last: number;
}

/** Why a user can or cannot sign in. Times are epoch milliseconds. */
export interface SignInFinding {
  /** The name of the user; of an unknown user, the name that was asked for. */
  readonly name: string;
  /** Whether the right password lets the user in, from an address that does not have to wait. */
  readonly canSignIn: boolean;
  readonly reason: SignInReason;
  /** When it began: the lock, the first failure that counts, or the change. Undefined if no event tells it. */
  readonly since?: number | undefined;
  /** When it ends by itself. */
  readonly until?: number | undefined;
  /** The address that it is about, or where the last failure came from. */
  readonly address?: string | undefined;
  /** Failed logins that count, or live tickets if they are too many. */
  readonly count?: number | undefined;
  /** Who did it: an administrator, an API key or the system user of a command. */
  readonly by?: string | undefined;
  /** The user whose name differs by case only. */
  readonly otherName?: string | undefined;
  /** What has the password, if it is about that: `ldap` for the directory, else the id of an identity provider. */
  readonly provider?: string | undefined;
  /** Why the provider has it so, as events say it. */
  readonly providerReason?: string | undefined;
  /** The last login or password that was accepted. */
  readonly lastSuccess: Pick<RecordedEvent, 'at' | 'from'> | undefined;
  /** The logins that were refused since then, the latest first. */
  readonly refused: readonly RefusedSignIns[];
}

/** The facts about a name that no user has. */
export interface UnknownName {
  readonly name: string;
  /** The event of the removal, if a user of this name was removed. */
  readonly removed: { readonly at?: number | undefined; readonly actor?: string | undefined } | undefined;
  readonly otherName: string | undefined;
  /** Whether Tessera asks the old server about unknown names. */
  readonly asksOldServer: boolean;
  /** Whether Tessera asks a directory about unknown names. */
  readonly asksDirectory: boolean;
}

/** The facts about a user that tries to sign in. */
export interface KnownUser {
  readonly user: User;
  /** Of a user of a directory or an identity provider: whether that disabled the user, and what is known of it. */
  readonly provider: { readonly disabledThere: boolean; readonly state: ProviderState } | undefined;
  /** The lock-out, and the waits at addresses. */
  readonly lockOuts: readonly LockOut[];
  /** The last event that disabled or locked the user. */
  readonly barred: RecordedEvent | undefined;
  readonly lastSuccess: RecordedEvent | undefined;
  /** The latest refused logins since the last success, the latest first. */
  readonly refusals: readonly RecordedEvent[];
  /** The last event that set the password. */
  readonly passwordSet: RecordedEvent | undefined;
  /** How many live tickets the user has, if the settings refuse one more. */
  readonly fullAt: number | undefined;
}

/** How many groups of refused logins are shown. */
const MOST_GROUPS = 10;

/** Why a name that no user has cannot sign in. */
export function whyUnknown(unknown: UnknownName): SignInFinding {
  const { name, removed, otherName, asksOldServer, asksDirectory } = unknown;
  const nothing = { name, canSignIn: false, lastSuccess: undefined, refused: [] };
  if (otherName !== undefined) return { ...nothing, reason: 'name-in-other-case', otherName };
  if (removed !== undefined) return { ...nothing, reason: 'removed', since: removed.at, by: removed.actor };
  if (asksDirectory) return { ...nothing, reason: 'directory-decides', canSignIn: true };
  if (asksOldServer) return { ...nothing, reason: 'old-server-decides', canSignIn: true };
  return { ...nothing, reason: 'unknown-name' };
}

/** Why the user can or cannot sign in: the most important reason, and the latest sign-ins. */
export function whyNotSignIn(about: KnownUser): SignInFinding {
  const { user, lastSuccess, refusals } = about;
  const told = {
    name: user.name,
    lastSuccess: lastSuccess && { at: lastSuccess.at, from: lastSuccess.from },
    refused: grouped(refusals),
  };
  const bar = barOf(about);
  return bar === undefined
    ? { ...told, canSignIn: true, ...hintOf(about) }
    : { ...told, canSignIn: false, ...bar };
}

type Reason = Pick<
  SignInFinding,
  'reason' | 'since' | 'until' | 'address' | 'count' | 'by' | 'provider' | 'providerReason'
>;

/** The reason why the user cannot sign in from any unfamiliar address; undefined if there is none. */
function barOf(about: KnownUser): Reason | undefined {
  const { user, provider, lockOuts, barred, refusals, fullAt } = about;
  const event = { since: barred?.at, by: barred?.actor };
  if (user.disabled && provider?.disabledThere) {
    const { at: since, reason: providerReason } = barred ?? {};
    return { reason: 'disabled-by-provider', provider: user.provider, providerReason, since };
  }
  if (user.disabled) return { reason: 'disabled', ...event };
  const lock = lockOuts.find(({ reason }) => reason === 'locked' || reason === 'locked-by-hand');
  if (lock?.reason === 'locked-by-hand') return { reason: 'locked-by-hand', ...event };
  if (lock !== undefined) {
    const { since, until, failures: count } = lock;
    return { reason: 'locked', since, until, count, address: refusals[0]?.from };
  }
  if (provider?.state === 'off') return { reason: 'provider-off', provider: user.provider };
  if (provider?.state === 'silent') return { reason: 'provider-silent', provider: user.provider };
  return fullAt === undefined ? undefined : { reason: 'tickets-full', count: fullAt };
}

/** The reason why the user could not sign in a moment ago, or a note about the next sign-in. */
function hintOf({ user, lockOuts, lastSuccess, refusals, passwordSet }: KnownUser): Reason {
  const [wait] = [...lockOuts].sort((a, b) => (b.until ?? 0) - (a.until ?? 0));
  if (wait !== undefined) {
    const { reason, since, until, address, failures: count } = wait;
    return { reason, since, until, address, count };
  }
  // What was refused before the password was set says nothing about the new one.
  const isNew = passwordSet !== undefined && passwordSet.at > (lastSuccess?.at ?? 0);
  const counted = isNew ? refusals.filter(({ at }) => at >= passwordSet.at) : refusals;
  const wrong = counted.filter(({ reason }) => reason === 'wrong-password');
  const [last] = counted;
  // The last refusal decides: an earlier one may have been mended.
  if (last?.reason === 'second-factor-needed')
    return {
      reason: 'app-password-needed',
      ...failures(counted.filter(({ reason }) => reason === last.reason)),
    };
  if (isNew && wrong.length > 0)
    return { reason: 'password-changed', since: passwordSet.at, by: passwordSet.actor, ...failures(wrong) };
  if (wrong.length > 0) return { reason: 'wrong-password', ...failures(wrong) };
  if (last !== undefined) return { reason: 'refused-before', since: last.at, address: last.from };
  if (user.mustChangePassword) return { reason: 'new-password-required' };
  if (isPasswordless(user)) return { reason: 'without-password' };
  return lastSuccess === undefined
    ? { reason: 'never-signed-in' }
    : { reason: 'signed-in', since: lastSuccess.at, address: lastSuccess.from };
}

const total = (events: readonly RecordedEvent[]) => events.reduce((sum, { count }) => sum + count, 0);

/** The count of these events, and the address of the latest one. */
const failures = (events: readonly RecordedEvent[]) => ({ count: total(events), address: events[0]?.from });

function grouped(refusals: readonly RecordedEvent[]): RefusedSignIns[] {
  const groups = Map.groupBy(refusals, ({ reason, from }) => JSON.stringify([reason, from]));
  return [...groups.values()].slice(0, MOST_GROUPS).map((group) => {
    const [{ reason = '', from, at }] = group as [RecordedEvent];
    return { reason, from, count: total(group), last: at };
  });
}

const time = (at: number) => new Date(at).toISOString();
const sinceWhen = (at: number | undefined) => (at === undefined ? '' : ` since ${time(at)}`);
const byWhom = (actor: string | undefined) => (actor === undefined ? '' : ` by ${actor}`);
const fromWhere = (address: string | undefined) => (address === undefined ? '' : ` from ${address}`);
const untilWhen = (at: number | undefined) => (at === undefined ? '' : ` until ${time(at)}`);
const logins = (count = 0) => (count === 1 ? '1 login' : `${count} logins`);

const placeOf = (provider: string | undefined) =>
  provider === 'ldap' ? 'the directory' : `the identity provider "${provider}"`;

const SENTENCES: Readonly<Record<SignInReason, (finding: SignInFinding) => string>> = {
  'unknown-name': ({ name }) => `There is no user "${name}".`,
  removed: ({ name, since, by }) =>
    `There is no user "${name}" any more: it was removed${since === undefined ? '' : ` on ${time(since)}`}${byWhom(by)}.`,
  'name-in-other-case': ({ name, otherName }) =>
    `There is no user "${name}", but there is "${otherName}": here names differ by case.`,
  'old-server-decides': ({ name }) =>
    `There is no user "${name}" here yet. The old server decides when the name logs in.`,
  'directory-decides': ({ name }) =>
    `There is no user "${name}" here yet. At the first login the directory decides.`,
  'disabled-by-provider': ({ name, since, provider, providerReason }) =>
    `"${name}" is disabled${sinceWhen(since)}, because ${placeOf(provider)} does not let it in${providerReason === undefined ? '' : ` (${providerReason})`}. It is enabled here once it may log in there.`,
  'provider-off': ({ name, provider }) =>
    `"${name}" belongs to ${placeOf(provider)}, which the settings do not name: set it again, or remove the user and add a local one.`,
  'provider-silent': ({ name, provider }) =>
    `"${name}" belongs to ${placeOf(provider)}, which does not answer now. Live tickets stay valid.`,
  disabled: ({ name, since, by }) => `"${name}" is disabled${sinceWhen(since)}${byWhom(by)}.`,
  'locked-by-hand': ({ name, since, by }) =>
    `"${name}" is locked${sinceWhen(since)}${byWhom(by)}, until it is unlocked.`,
  locked: ({ name, since, until, count, address }) =>
    `"${name}" is locked out${untilWhen(until)}: ${logins(count)} failed${sinceWhen(since)}, the last one${fromWhere(address)}. From an address where it logged in within the last 30 days it can.`,
  'tickets-full': ({ name, count }) =>
    `"${name}" has ${count} live tickets, and the settings refuse one more: end some of them.`,
  'address-waiting': ({ address, until }) =>
    `${address} has to wait${untilWhen(until)}, with every name: too many logins from there failed.`,
  'network-waiting': ({ name, address, until }) =>
    `"${name}" has to wait in the network of ${address}${untilWhen(until)}: too many logins from there failed. From elsewhere it can log in.`,
  waiting: ({ name, address, until, count }) =>
    `"${name}" has to wait at ${address}${untilWhen(until)}: ${logins(count)} from there failed. From elsewhere it can log in.`,
  'app-password-needed': ({ name, count, address }) =>
    `"${name}" can sign in on the portal. ${logins(count)} of programs had the right password, the last one${fromWhere(address)}: the user has a second factor, so programs need an app password.`,
  'password-changed': ({ name, since = 0, by, count, address }) =>
    `The password of "${name}" was set on ${time(since)}${byWhom(by)}. Since then ${logins(count)} had a wrong password, the last one${fromWhere(address)}.`,
  'wrong-password': ({ name, count, address }) =>
    `"${name}" can log in. Since its last login ${logins(count)} had a wrong password, the last one${fromWhere(address)}.`,
  'refused-before': ({ name, since = 0, address, refused: [latest] }) =>
    `"${name}" can log in now. The last login was refused on ${time(since)}${fromWhere(address)}: ${latest?.reason}.`,
  'new-password-required': ({ name }) => `"${name}" can log in. The sign-in page asks it for a new password.`,
  'without-password': ({ name }) => `"${name}" has no password: anybody can log in with this name.`,
  'never-signed-in': ({ name }) => `"${name}" can log in. The events know of no login.`,
  'signed-in': ({ name, since = 0, address }) =>
    `"${name}" can log in, and did so last on ${time(since)}${fromWhere(address)}.`,
};

/** The finding as an English sentence, with times in UTC. */
export function sentenceOfSignIn(finding: SignInFinding): string {
  return SENTENCES[finding.reason](finding);
}
