import { type Settings, variableOf } from '../../core/settings/table.ts';
import type { WriteUnit } from '../../core/storage/store.ts';
import type { LinkSecret, LiveLink } from './links.ts';
import type { InvitationRules } from './rules/invite.ts';
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

/** What operations do with mail by the settings alone, also in commands. */
export interface MailTools {
  readonly invitations: InvitationRules;
  /** Sends a mail that says nothing but that. Returns why no mail server took it; undefined if one did. */
  sendTest(to: string): Promise<string | undefined>;
}

/** What these settings let operations do with mail. What sends is loaded for the first mail. */
export function mailToolsIn(settings: Settings): MailTools {
  return {
    invitations: settings,
    async sendTest(to) {
      if (settings.smtpUrl === '') return `no mail server is set: name it in ${variableOf('smtpUrl')}`;
      const [{ MailTransport }, { letterText }] = await Promise.all([
        import('./transport.ts'),
        import('./letter-view.ts'),
      ]);
      const { mailLanguage: language, portalUrl: portal } = settings;
      const person = { displayName: to, userName: to };
      const letter = { name: 'test', ...person, at: Date.now(), language, portal, brand: settings } as const;
      const transport = await MailTransport.open(settings);
      try {
        return (await transport.send({ ...letterText(letter), to }))?.why;
      } finally {
        transport.close();
      }
    },
  };
}

declare module '../../core/operation.ts' {
  interface OperationTools {
    /** Missing in commands, which no link leads to. */
    readonly passwordLinks?: PasswordLinkTools;
    readonly mailTools: MailTools;
  }
}
