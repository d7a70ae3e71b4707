import type { WriteUnit } from '../../core/storage/store.ts';
import type { LinkSecret, LiveLink } from './links.ts';
import type { PasswordLink } from './tables/password-links.ts';

/** What operations and pages do with links to choose a password. */
export interface PasswordLinkTools {
  /** The provider where a link sets the passwords of its users. */
  readonly resetsAt: string | undefined;
  /** The link with this secret and its user; undefined if it does not work. Outside of a transaction, as the next two are. */
  ownerOf(secret: LinkSecret): Promise<LiveLink | undefined>;
  /** As `ownerOf`, and uses the link up: of several requests one gets it. */
  take(secret: LinkSecret): Promise<LiveLink | undefined>;
  /** Has a link work again whose password was refused. */
  putBack(link: PasswordLink): Promise<void>;
  /** Forgets the failures that are counted under this key of a name. */
  forgetFailures(unit: WriteUnit, key: string): Promise<void>;
}

declare module '../../core/operation.ts' {
  interface OperationTools {
    /** Missing in commands, which no link leads to. */
    readonly passwordLinks?: PasswordLinkTools;
  }
}
