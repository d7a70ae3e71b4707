import type { WriteUnit } from '../../core/storage/store.ts';
import type { LinkSecret } from './links.ts';

/** What operations and pages do with links to choose a password. */
export interface PasswordLinkTools {
  /** The name of the user who may choose a password by this link; undefined if it does not work. Outside of a transaction. */
  ownerOf(secret: LinkSecret): Promise<string | undefined>;
  /** Forgets the failures that are counted under this key of a name. */
  forgetFailures(unit: WriteUnit, key: string): Promise<void>;
}

declare module '../../core/operation.ts' {
  interface OperationTools {
    /** Missing in commands, which no link leads to. */
    readonly passwordLinks?: PasswordLinkTools;
  }
}
