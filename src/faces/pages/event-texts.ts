import { COMMAND_LINE, type EventKind, isEventKind, type RecordedEvent } from '../../core/domain/event.ts';
import type { Say, TextKey } from './texts/texts.ts';

const KINDS: Readonly<Record<EventKind, TextKey>> = {
  login: 'event.kind.login',
  'login-refused': 'event.kind.loginRefused',
  'login-unfamiliar': 'event.kind.loginUnfamiliar',
  'password-accepted': 'event.kind.passwordAccepted',
  'ticket-refused': 'event.kind.ticketRefused',
  'client-refused': 'event.kind.clientRefused',
  logout: 'event.kind.logout',
  'ticket-revoked': 'event.kind.ticketRevoked',
  expiry: 'event.kind.expiry',
  lock: 'event.kind.lock',
  unlock: 'event.kind.unlock',
  'user-added': 'event.kind.userAdded',
  'user-disabled': 'event.kind.userDisabled',
  'user-enabled': 'event.kind.userEnabled',
  'user-removed': 'event.kind.userRemoved',
  'user-renamed': 'event.kind.userRenamed',
  'user-taken-over': 'event.kind.userTakenOver',
  'password-changed': 'event.kind.passwordChanged',
  'new-password-required': 'event.kind.newPasswordRequired',
  'new-password-waived': 'event.kind.newPasswordWaived',
  'second-factor-added': 'event.kind.secondFactorAdded',
  'second-factor-removed': 'event.kind.secondFactorRemoved',
  'second-factor-reset': 'event.kind.secondFactorReset',
  'recovery-codes-made': 'event.kind.recoveryCodesMade',
  'recovery-code-used': 'event.kind.recoveryCodeUsed',
  'tickets-revoked': 'event.kind.ticketsRevoked',
  'client-added': 'event.kind.clientAdded',
  'client-removed': 'event.kind.clientRemoved',
  'application-added': 'event.kind.applicationAdded',
  'application-changed': 'event.kind.applicationChanged',
  'application-removed': 'event.kind.applicationRemoved',
  'application-disconnected': 'event.kind.applicationDisconnected',
  'signing-key-added': 'event.kind.signingKeyAdded',
  'signing-key-retired': 'event.kind.signingKeyRetired',
  'signing-key-removed': 'event.kind.signingKeyRemoved',
  'profile-changed': 'event.kind.profileChanged',
  'email-changed': 'event.kind.emailChanged',
  'role-changed': 'event.kind.roleChanged',
  'group-added': 'event.kind.groupAdded',
  'group-changed': 'event.kind.groupChanged',
  'group-removed': 'event.kind.groupRemoved',
  'group-joined': 'event.kind.groupJoined',
  'group-left': 'event.kind.groupLeft',
  'api-key-refused': 'event.kind.apiKeyRefused',
  'api-key-added': 'event.kind.apiKeyAdded',
  'api-key-removed': 'event.kind.apiKeyRemoved',
  'app-password-added': 'event.kind.appPasswordAdded',
  'app-password-removed': 'event.kind.appPasswordRemoved',
  'role-refused': 'event.kind.roleRefused',
  'user-invited': 'event.kind.userInvited',
  'password-reset-requested': 'event.kind.passwordResetRequested',
  'mail-sent': 'event.kind.mailSent',
  'mail-failed': 'event.kind.mailFailed',
  'mail-retried': 'event.kind.mailRetried',
  'webhooks-retried': 'event.kind.webhooksRetried',
};

/** The reasons that are words of the service. All others are data, such as the name of a group. */
const REASONS: Readonly<Record<string, TextKey>> = {
  'wrong-password': 'event.reason.wrongPassword',
  'unknown-name': 'event.reason.unknownName',
  disabled: 'event.reason.disabled',
  locked: 'event.reason.locked',
  'locked-by-hand': 'event.reason.lockedByHand',
  waiting: 'event.reason.waiting',
  'network-waiting': 'event.reason.networkWaiting',
  'address-waiting': 'event.reason.addressWaiting',
  'too many failures': 'event.reason.tooManyFailures',
  'right password from a familiar address': 'event.reason.familiarAddress',
  'too many live tickets': 'event.reason.ticketsFull',
  'too many tickets from this address': 'event.reason.ticketsOfAddress',
  'unknown app password': 'event.reason.appPasswordUnknown',
  'app password on a page': 'event.reason.appPasswordOnPage',
  'app password expired': 'event.reason.appPasswordExpired',
  'address not allowed for app password': 'event.reason.appPasswordAddress',
  'wrong-code': 'event.reason.wrongCode',
  'codes-waiting': 'event.reason.codesWaiting',
  'code used before': 'event.reason.codeUsed',
  'wrong-passkey': 'event.reason.wrongPasskey',
  'passkey answered before': 'event.reason.passkeyUsed',
  'passkey counts backwards': 'event.reason.passkeyCopied',
  'passkey without a check of its user': 'event.reason.passkeyUnverified',
  'passkey of a user of a provider': 'event.reason.passkeyOfProvider',
  'second-factor-needed': 'event.reason.secondFactorNeeded',
  'second-factor-required': 'event.reason.secondFactorRequired',
  'authenticator app': 'event.reason.authenticatorApp',
  'recovery codes': 'event.reason.recoveryCodes',
  'disabled in the directory': 'event.reason.directoryDisabled',
  'account expired in the directory': 'event.reason.directoryExpired',
  'locked in the directory': 'event.reason.directoryLocked',
  'password expired in the directory': 'event.reason.directoryPasswordExpired',
  'password to be changed in the directory first': 'event.reason.directoryPasswordToChange',
  'not allowed at this time by the directory': 'event.reason.directoryTime',
  'not allowed here by the directory': 'event.reason.directoryPlace',
  'not in the directory': 'event.reason.directoryUnknown',
  'not in the directory any more': 'event.reason.directoryGone',
  'several entries in the directory': 'event.reason.directorySeveral',
  'no subject in the directory': 'event.reason.directoryNoSubject',
  'a name that no user can have here': 'event.reason.providerNameImpossible',
  'the name of the guest': 'event.reason.providerNameOfGuest',
  'the name of a local user': 'event.reason.providerNameOfLocal',
  'the name of a local user with a role': 'event.reason.providerNameOfRole',
  'the name of a user of another provider': 'event.reason.providerNameOfOther',
  'the name of another user in other characters': 'event.reason.providerNameLooksAlike',
  'removed here': 'event.reason.providerRemoved',
  'no user here': 'event.reason.providerNotAdded',
  'changed meanwhile': 'event.reason.changedMeanwhile',
  malformed: 'event.reason.malformed',
  unknown: 'event.reason.unknown',
  expired: 'event.reason.expired',
  invalid: 'event.reason.invalid',
  suspended: 'event.reason.suspended',
  foreign: 'event.reason.foreign',
  'too late': 'event.reason.mailTooLate',
  'no address': 'event.reason.mailNoAddress',
  'no password': 'event.reason.mailNoPassword',
  'new browser': 'event.reason.newBrowser',
  test: 'event.reason.mailTest',
  imported: 'event.reason.imported',
};

/** The kinds whose reasons may be names that somebody chose: they are never taken for words of the service. */
const isAboutNames = (kind: EventKind) =>
  /^(group|client|application|api-key|app-password)-(?!refused)|^ticket-revoked$/.test(kind);

/** The reason of a ticket that was ended by another ticket, which it names. */
const BY_TICKET = /^by ticket ([0-9a-f]{8})$/;

/** The reason of a login with an app password, and of tickets that ended with it. It names the app password. No name of a client has a space. */
const BY_APP_PASSWORD = /^app password (.+)$/;

/** The reason of a sign-in at an identity provider, whose id it names. */
const BY_PROVIDER = /^by ([a-z0-9-]+)$/;

/** The reason of a login with a password that expires soon where it is kept. It names the time. */
export const PASSWORD_EXPIRES = /^password expires (\S+)$/;

/** The reason of a refusal for lack of a role, which it names. */
const NEEDS_ROLE = /^it needs (auditor|operator|administrator)$/;

/** The reason of an event that a mail in this language tells of. */
const IN_LANGUAGE = /^language \w+$/;

/** The name of a kind of events. */
export const eventKindText = (say: Say, kind: EventKind): string => say(KINDS[kind]);

/** The reason of an event in the reader's language, if it is a word of the service; otherwise as it was written. */
export function eventReasonText(
  say: Say,
  { kind, reason }: Pick<RecordedEvent, 'kind' | 'reason'>,
): string | undefined {
  if (reason === undefined) return undefined;
  if (kind === 'tickets-revoked' && reason === 'all') return say('event.reason.allUsers');
  if (kind.startsWith('mail-') && isEventKind(reason)) return eventKindText(say, reason);
  if (IN_LANGUAGE.test(reason)) return undefined;
  const [, name] = BY_APP_PASSWORD.exec(reason) ?? [];
  if (name !== undefined && kind === 'login') return say('event.reason.appPassword', { name });
  if (name !== undefined && /^tickets?-revoked$/.test(kind))
    return say('event.reason.byAppPassword', { name });
  if (PASSWORD_EXPIRES.test(reason) && kind === 'login') return say('event.reason.passwordExpires');
  const [, provider] = BY_PROVIDER.exec(reason) ?? [];
  if (provider !== undefined && kind === 'login') return say('event.reason.byProvider', { provider });
  if (provider !== undefined && kind === 'logout') return say('event.reason.endedThere', { provider });
  const [, role] = NEEDS_ROLE.exec(reason) ?? [];
  if (role !== undefined && kind === 'role-refused')
    return say('event.reason.roleNeeded', { role: say(`role.${role}` as TextKey) });
  const [, ticket] = BY_TICKET.exec(reason) ?? [];
  if (ticket !== undefined && (kind === 'ticket-revoked' || !isAboutNames(kind)))
    return say('event.reason.byTicket', { ticket });
  return Object.hasOwn(REASONS, reason) && !isAboutNames(kind) ? say(REASONS[reason] as TextKey) : reason;
}

/** The source of an event: an address, or the command line. */
export const eventOriginText = (say: Say, from: string): string =>
  from === COMMAND_LINE ? say('event.commandLine') : from;
