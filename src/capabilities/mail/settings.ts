import { isLoopback } from '../../core/settings/combinations.ts';
import { anyText, duration, oneOf, type Parser } from '../../core/settings/parsers.ts';
import { type Plain, type Setting, secret, setting } from '../../core/settings/setting.ts';
import { type SettingGroup, type Settings, type ValuesOf, variableOf } from '../../core/settings/table.ts';

/** The URL of a mail server, without a password. Errors do not show it, since one may stand in it. */
const smtpUrl: Parser<string> = (text) => {
  if (text === '') return '';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.password)
    throw new Error(
      `has a password in it: leave it out, and write it into the file that ${variableOf('smtpPassword')}_FILE names`,
    );
  const isPlain = url && url.search + url.hash === '' && /^\/?$/.test(url.pathname);
  if (!isPlain || !/^smtps?:$/.test(url.protocol) || url.hostname === '')
    throw new Error(
      `is no URL of a mail server: write one such as smtp://user@mail.example.org:587 or smtps://user@mail.example.org, and the password into the file that ${variableOf('smtpPassword')}_FILE names`,
    );
  return text;
};

/** An address that a mail can go to: one, without a name around it, and without what separates several. */
export const isMailAddress = (text: string): boolean =>
  /^[^\s@,;:<>"()[\]\\]+@[^\s@,;:<>"()[\]\\]+$/.test(text);

/** The sender, as `Name <address>` or an address. Empty if there is none. */
const sender: Parser<string> = (text) => {
  const [, within = text] = /^[^<>"\r\n]*<([^<>]+)>$/.exec(text) ?? [];
  if (text !== '' && !isMailAddress(within))
    throw new Error(`"${text}" is no sender: write one such as Tickets <tickets@example.org>`);
  return text;
};

const MAIL = {
  smtpUrl: setting(
    smtpUrl,
    '',
    'The mail server, such as smtp://user@mail.example.org:587 or smtps://mail.example.org; TLS is required, but on this machine. Empty: no mail is sent.',
  ),
  smtpPassword: secret(anyText, 'The password of the user in that URL.'),
  smtpCa: setting(
    anyText,
    '',
    'File with the certificates (PEM) to check the mail server against; empty: those that Node trusts.',
  ),
  mailFrom: setting(sender, '', 'The sender of mails, such as Tickets <tickets@example.org>.'),
  mailLanguage: setting(
    oneOf('en', 'de', 'es', 'fr'),
    'en',
    'The language of mails to people whose own is not known yet.',
  ),
  invitationLifetime: setting(duration, 'P7D', 'How long the link of an invitation works.'),
} satisfies Record<string, Setting<Plain>>;

declare module '../../core/settings/table.ts' {
  interface CapabilitySettings extends ValuesOf<typeof MAIL> {}
}

/** Whether mails go to a server on this machine, which needs no TLS. */
export const isLocalRelay = ({ smtpUrl: url, smtpCa }: Settings): boolean =>
  smtpCa === '' && url.startsWith('smtp:') && isLoopback(new URL(url).hostname);

function faultsOfMail({ smtpUrl: url, mailFrom, portal, portalUrl }: Settings): string[] {
  if (url === '') return [];
  const faults: string[] = [];
  if (mailFrom === '')
    faults.push(`${variableOf('mailFrom')}: name the sender of mails, such as Tickets <tickets@example.org>`);
  if (portalUrl === '' || !portal)
    faults.push(
      `${variableOf('portalUrl')}: name where browsers reach the portal: links in mails lead there, and ${variableOf('portal')} must not be false`,
    );
  return faults;
}

export const mailSettings: SettingGroup = {
  heading: 'Mail',
  settings: MAIL,
  certificates: ['smtpCa'],
  faults: faultsOfMail,
};
