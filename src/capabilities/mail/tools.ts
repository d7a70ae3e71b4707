import { type Settings, variableOf } from '../../core/settings/table.ts';
import type { linkTools } from './assembly.ts';

/** What operations and pages do with links to choose a password, where a service runs. */
export type PasswordLinkTools = ReturnType<typeof linkTools>;

/** What these settings let operations do with mail, also in commands. What sends is loaded for the first mail. */
export function mailToolsIn(settings: Settings) {
  return {
    invitations: settings,
    /** Sends a mail that says nothing but that. Returns why no mail server took it; undefined if one did. */
    async sendTest(to: string): Promise<string | undefined> {
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
    readonly mailTools: ReturnType<typeof mailToolsIn>;
  }
}
