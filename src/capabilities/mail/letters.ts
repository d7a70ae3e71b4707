import type { EventKind } from '../../core/domain/event.ts';
import { displayNameOf } from '../../core/domain/profile.ts';
import { isPasswordless, type User, userKey } from '../../core/domain/user.ts';
import type { Settings } from '../../core/settings/table.ts';
import type { ReadUnit } from '../../core/storage/store.ts';
import type { Language } from '../../faces/pages/texts/texts.ts';
import { formerAddressIn } from '../people/rules/former-address.ts';
import type { DeliveredEvent } from '../webhooks/tables/webhooks.ts';
import { isKnownPlace, signInsBefore } from './known-places.ts';
import { languageIn } from './languages.ts';
import { isResetAt } from './links.ts';
import { isMailAddress } from './settings.ts';
import type { LinkPurpose } from './tables/password-links.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** How many notices one person gets in an hour. */
const MOST_NOTICES = 5;
/** Events that others than the user can cause. Mails about them must leave room for mails about what a thief changes. */
const OF_STRANGERS: readonly (string | undefined)[] = [
  'login-unfamiliar',
  'lock',
  'password-reset-requested',
] satisfies EventKind[];
/** The most notices of each such kind that a user gets in a day. */
const MOST_OF_STRANGERS = 3;
/** A request for a link that was not sent within this time is given up: its reader has gone on by then. */
const REQUEST_LIFETIME = HOUR;

export type LetterName =
  | 'passwordChanged'
  | 'emailChanged'
  | 'factorAdded'
  | 'factorRemoved'
  | 'factorReset'
  | 'recoveryCodeUsed'
  | 'lockedByHand'
  | 'lockedOut'
  | 'newSignIn'
  | 'reset'
  | 'passwordElsewhere'
  | 'invitation';

/** A letter to write: which, to whom, and in which language. */
export interface Letter {
  readonly name: LetterName;
  readonly user: User;
  readonly displayName: string;
  readonly to: string;
  readonly language: Language;
  /** What its link is for, if it has one. */
  readonly purpose?: LinkPurpose | undefined;
}

/** Why no letter is written about an event. `isTold`: whether an event tells it, since somebody waits for the letter. */
export interface NoLetter {
  readonly why: string;
  readonly isTold?: boolean;
}

const NAMES: Partial<Record<EventKind, LetterName>> = {
  'password-changed': 'passwordChanged',
  'email-changed': 'emailChanged',
  'second-factor-added': 'factorAdded',
  'second-factor-removed': 'factorRemoved',
  'second-factor-reset': 'factorReset',
  'recovery-code-used': 'recoveryCodeUsed',
  lock: 'lockedByHand',
  'login-unfamiliar': 'newSignIn',
  'password-reset-requested': 'reset',
  'user-invited': 'invitation',
};

/** The kinds of events about which the service sends mail. */
export const MAILED_KINDS = Object.keys(NAMES) as EventKind[];

const PURPOSES: Partial<Record<LetterName, LinkPurpose>> = {
  reset: 'password-reset',
  invitation: 'invitation',
};

/** The language that the user asked for mail in last, or that an administrator chose. */
async function languageOf(
  { events }: ReadUnit,
  event: DeliveredEvent,
  { name }: User,
  fallback: Language,
): Promise<Language> {
  const own = languageIn(event);
  if (own !== undefined) return own;
  const kind = ['password-reset-requested', 'user-invited'] as const;
  const [last] = await events.latest({ user: name, kind, limit: 1 });
  return (last && languageIn(last)) ?? fallback;
}

async function whyNone(
  { events }: ReadUnit,
  user: User,
  letter: LetterName,
  event: DeliveredEvent,
  now: number,
): Promise<NoLetter | undefined> {
  const purpose = PURPOSES[letter];
  if (letter === 'reset' && now - event.at > REQUEST_LIFETIME) return { why: 'too late', isTold: true };
  if (letter === 'invitation' && languageIn(event) === undefined) return { why: 'handed over' };
  if (purpose !== undefined && user.disabled) return { why: 'disabled', isTold: true };
  if (isPasswordless(user)) return { why: 'no password', isTold: purpose !== undefined };
  // The limit does not hold for this notice: a thief could cause five others first, and the owner would not learn of the change.
  if (purpose !== undefined || letter === 'emailChanged') return undefined;
  const about = { user: user.name, kind: 'mail-sent', since: now - DAY } as const;
  const sent = await events.latest({ ...about, limit: 48 * MOST_NOTICES });
  const isTooMany =
    OF_STRANGERS.includes(event.kind) && letter !== 'lockedByHand'
      ? sent.filter(({ reason }) => reason === event.kind).length >= MOST_OF_STRANGERS
      : sent.filter(({ at, reason }) => at >= now - HOUR && !OF_STRANGERS.includes(reason)).length >=
        MOST_NOTICES;
  if (isTooMany) return { why: 'too many mails' };
  if (letter !== 'newSignIn') return undefined;
  const { signIns } = await signInsBefore(events, user.name, event.at);
  return (await isKnownPlace(signIns, event)) ? { why: 'known place' } : undefined;
}

/** What decides about letters: settings, and the provider where a link sets the passwords of its users. */
type LetterRules = Pick<Settings, 'namesCaseSensitive' | 'mailLanguage'> & {
  readonly resetsAt: string | undefined;
};

/** The letter about an event, or why there is none. */
export async function letterAbout(
  unit: ReadUnit,
  event: DeliveredEvent,
  { namesCaseSensitive, mailLanguage, resetsAt }: LetterRules,
  now: number,
): Promise<Letter | NoLetter> {
  const user = await unit.users.findByKey(userKey(event.user ?? '', namesCaseSensitive));
  // The lock of an administrator gives no reason.
  const name = event.kind === 'lock' && event.reason !== undefined ? 'lockedOut' : NAMES[event.kind];
  if (user === undefined || name === undefined) return { why: 'no user' };
  const none = await whyNone(unit, user, name, event, now);
  if (none !== undefined) return none;
  const profile = await unit.profiles.find(user.id);
  // A thief of the account may have entered the new address.
  const to = name === 'emailChanged' ? formerAddressIn(event.reason) : profile.email;
  const purpose = PURPOSES[name];
  if (to === undefined || !isMailAddress(to)) return { why: 'no address', isTold: purpose !== undefined };
  const isElsewhere =
    purpose !== undefined && user.provider !== undefined && !isResetAt(user, purpose, resetsAt);
  return {
    name: isElsewhere ? 'passwordElsewhere' : name,
    user,
    displayName: displayNameOf(user.name, profile),
    to,
    language: await languageOf(unit, event, user, mailLanguage),
    purpose: isElsewhere ? undefined : purpose,
  };
}
