import type { Profile } from './profile.ts';

/** The id of the directory among providers. An identity provider has another one. */
export const DIRECTORY = 'ldap';

/** A person as a directory or an identity provider describes it. */
export interface ExternalPerson {
  /** `ldap` for the directory, else the id of the identity provider in the settings. */
  readonly provider: string;
  /** The identifier of the person at its provider, such as `entryUUID` or `sub`. It never changes, nor goes to another person. */
  readonly subject: string;
  /** The user name. It may change, and go to another person. */
  readonly name: string;
  /** A missing field stays as it is here, an empty text removes it. What no profile can have is left out. */
  readonly profile: Profile;
  /** The names of all groups of the person; undefined if the provider does not tell them: then groups stay as they are. */
  readonly groups: readonly string[] | undefined;
  /** Whether the provider wants another password first; undefined if it does not tell: then that stays as it is. */
  readonly mustChangePassword?: boolean;
}

/** The stored identity of a user of a directory or an identity provider. */
export interface ExternalIdentity {
  readonly userId: number;
  readonly provider: string;
  readonly subject: string;
  /** The names of the groups that the provider gave last. */
  readonly groups: readonly string[];
  /** When the provider described the person last, in epoch milliseconds. */
  readonly checkedAt: number;
  /** Whether the user is disabled here because the provider disabled it. Then the provider enables it again, too. */
  readonly disabledThere: boolean;
}
