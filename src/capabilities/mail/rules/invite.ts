import type { ChangeEvent } from '../../../core/domain/event.ts';
import { isRefusal, type Refusal, refuse } from '../../../core/domain/refusal.ts';
import type { PasswordPages, User } from '../../../core/domain/user.ts';
import type { Settings } from '../../../core/settings/table.ts';
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

export type InvitationRules = Pick<Settings, 'invitationLifetime' | 'portalUrl' | 'mailLanguage'>;

/**
 * Finds the user of this name, or adds one with a random password. Refuses a user of a directory or an identity provider, which keeps
 * the password.
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
  const { invitationLifetime, portalUrl, mailLanguage, language = mailLanguage, now } = rules;
  const expiresAt = now + invitationLifetime;
  const { email = '' } = await unit.profiles.find(user.id);
  const isMailed = isMailAddress(email) && (await mailState(unit)) !== undefined;
  const link = isMailed ? undefined : `${portalUrl}${await newLink(unit, user, 'invitation', expiresAt)}`;
  const reason = isMailed ? inLanguage(language) : 'link to hand over';
  return {
    userName: user.name,
    link,
    expiresAt,
    events: [{ kind: 'user-invited', user: user.name, reason }],
  };
}
