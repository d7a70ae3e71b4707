import type { ProfileField } from '../../core/domain/profile.ts';

/** The attributes of an entry that Tessera reads. A missing one is not read. */
export interface AttributeMap extends Readonly<Partial<Record<ProfileField, string>>> {
  /** The name that the person types. */
  readonly name: string;
  /** The identifier of the person that never changes, such as `entryUUID`. A name may go to another person later. */
  readonly subject: string;
  /** The name of a group. */
  readonly group: string;
}

/** How the directory is asked. Texts of filters are as RFC 4515 has them. */
export interface DirectoryOptions {
  /** What the settings say that the directory is. A server may tell better. */
  readonly kind: 'openldap' | 'active-directory';
  /** `ldap://` and `ldaps://` URLs, in the order in which they are tried. */
  readonly servers: readonly string[];
  readonly startTls: boolean;
  /** Whether people change or reset their passwords here, so that servers have to take new ones. */
  readonly writesPasswords?: boolean;
  /** Certificates in PEM to trust instead of the system's. */
  readonly ca: string | undefined;
  /** The account that searches. Empty: the search is anonymous. */
  readonly bindDn: string;
  /** Reads the password of that account, each time anew. */
  readonly bindPassword: (() => string) | undefined;
  readonly userBase: string;
  /** `{name}` stands for the name that was typed. */
  readonly userFilter: string;
  /** Empty: groups are not read. */
  readonly groupBase: string;
  /** `{dn}` stands for the member, `{name}` for its name. */
  readonly groupFilter: string;
  /** Whether groups are looked for that contain the groups found. */
  readonly nestedGroups: boolean;
  /** What the names of groups begin with here. */
  readonly groupPrefix: string;
  readonly attributes: AttributeMap;
  /** Milliseconds that a server may take for each step. */
  readonly deadline: number;
  /** Called when a server stops answering, with the reason, and without one when it answers again. */
  readonly onServer: (url: string, fault: string | undefined) => void;
  /** Called with the outcome of each request to a server, and of each that no server could answer. */
  readonly onRequest?: (outcome: DirectoryOutcome) => void;
}

/** How a request to a server of the directory ended; `unavailable` is one that no server could answer. */
export type DirectoryOutcome = (typeof DIRECTORY_OUTCOMES)[number];
export const DIRECTORY_OUTCOMES = ['answered', 'failed', 'unavailable'] as const;

/** Thrown when no server of the directory can answer. The message says why, and holds no name and no password. */
export class DirectoryUnavailable extends Error {
  override name = 'DirectoryUnavailable';
}
