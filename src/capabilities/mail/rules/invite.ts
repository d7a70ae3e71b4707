import type { ChangeEvent } from '../../../core/domain/event.ts';
import { isRefusal, type Refusal, refuse } from '../../../core/domain/refusal.ts';
import type { RunningService } from '../../../core/domain/running-service.ts';
import type { PasswordPages, User } from '../../../core/domain/user.ts';
import { duration } from '../../../core/settings/parsers.ts';
import { variableOf } from '../../../core/settings/table.ts';
import type { WriteUnit } from '../../../core/storage/store.ts';
import { addUser, type UserToAdd } from '../../people/rules/bring-user.ts';
import { passwordElsewhere } from '../../people/rules/users.ts';
import { inLanguage } from '../languages.ts';
import { newLink } from '../links.ts';
import { isMailAddress } from '../settings.ts';
import { mailState } from '../tables/receiver.ts';

/** An invitation: by mail, or by a link to hand over. */
export interface Invitation {
  readonly userName: string;
  /** The link to hand over; undefined if it is mailed. */
  readonly link: string | undefined;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** What the settings say about invitations. */
interface InvitationRules {
  /** Milliseconds that a link works. */
  readonly lifetime: number;
  /** The address of the portal; empty if it is not set. */
  readonly portal: string;
  readonly mailLanguage: string;
}

/** The settings in force, from what the service shows of them. */
export function invitationRules({ settings }: Pick<RunningService, 'settings'>): InvitationRules {
  const textOf = (key: 'invitationLifetime' | 'portalUrl' | 'mailLanguage') =>
    settings.find(({ name }) => name === variableOf(key))?.value ?? '';
  return {
    lifetime: duration(textOf('invitationLifetime')),
    portal: textOf('portalUrl').replace(/\/$/, ''),
    mailLanguage: textOf('mailLanguage'),
  };
}

/**
 * Finds the user of this name, or adds one with a random password. Refuses a user of a directory or an identity provider, which
 * keeps the password.
 */
export async function userToInvite(
  unit: WriteUnit,
  desired: Pick<UserToAdd, 'name' | 'key' | 'passwordHash' | 'role' | 'profile'>,
  pages: PasswordPages,
): Promise<{ user: User; events: readonly ChangeEvent[] } | Refusal<'body_invalid' | 'password_elsewhere'>> {
  const user = await unit.users.findByKey(desired.key);
  if (user !== undefined) return passwordElsewhere(user, pages) ?? { user, events: [] };
  const added = await addUser(unit, { ...desired, mustChangePassword: false });
  if (!isRefusal(added)) return added;
  return refuse('body_invalid', { detail: added.detail ?? added.refused });
}

/** Invites a user: by mail, if a mail server is set and the profile has an address. Otherwise the link is to be handed over. */
export async function inviteUser(
  unit: WriteUnit,
  user: User,
  rules: InvitationRules & { readonly language: string | undefined; readonly now: number },
): Promise<Invitation & { readonly events: readonly ChangeEvent[] }> {
  const { lifetime, portal, mailLanguage, language = mailLanguage, now } = rules;
  const expiresAt = now + lifetime;
  const { email = '' } = await unit.profiles.find(user.id);
  const isMailed = isMailAddress(email) && (await mailState(unit)) !== undefined;
  const link = isMailed ? undefined : `${portal}${await newLink(unit, user, 'invitation', expiresAt)}`;
  const reason = isMailed ? inLanguage(language) : 'link to hand over';
  return {
    userName: user.name,
    link,
    expiresAt,
    events: [{ kind: 'user-invited', user: user.name, reason }],
  };
}
