import { DIRECTORY } from '../../core/domain/external-identity.ts';
import { isLoopback } from '../../core/settings/combinations.ts';
import { openPasswords } from '../../core/settings/dangerous-settings.ts';
import { anyText, deadline, listOf, oneOf, type Parser, yesOrNo } from '../../core/settings/parsers.ts';
import { type Plain, type Setting, secret, setting } from '../../core/settings/setting.ts';
import { type SettingGroup, type Settings, type ValuesOf, variableOf } from '../../core/settings/table.ts';

/** The URL of a server, without a path: `ldap://` or `ldaps://`. Errors do not show it, since it may hold a password. */
const serverUrl: Parser<string> = (text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && url.username + url.password + url.search + url.hash === '';
  if (!isPlain || !/^ldaps?:$/.test(url.protocol) || url.hostname === '' || !/^\/?$/.test(url.pathname))
    throw new Error(
      'is no URL of a directory: write one such as ldaps://ldap.example.org, with nothing behind the port',
    );
  return `${url.protocol}//${url.host}`;
};

/** A filter as RFC 4515 writes it, in brackets; empty for the default. */
const filterWith =
  (...placeholders: readonly string[]): Parser<string> =>
  (text) => {
    if (text === '') return text;
    const opened = text.split('(').length;
    if (!/^\(.*\)$/s.test(text) || opened !== text.split(')').length)
      throw new Error(`"${text}" is no filter: write one such as (uid={name}), with its brackets in pairs`);
    if (!placeholders.some((placeholder) => text.includes(placeholder)))
      throw new Error(
        `"${text}" does not say what is looked for: write ${placeholders.join(' or ')} into the filter`,
      );
    return text;
  };

/** What attributes can be mapped to. */
const MAPPED = [
  'name',
  'subject',
  'group',
  'firstName',
  'lastName',
  'email',
  'organization',
  'jobTitle',
  'telephone',
  'mobile',
  'location',
  'description',
] as const;

type Mapped = (typeof MAPPED)[number];

/** Pairs such as `email=mail`. An empty attribute maps the field to none. */
const attributeMap: Parser<{ readonly [M in Mapped]?: string }> = (text) => {
  const pairs = listOf((pair) => {
    const [, field = '', attribute = ''] = /^(\w+)=([A-Za-z][\w;.-]*|[\d.]+|)$/.exec(pair) ?? [];
    if (!MAPPED.some((mapped) => mapped === field))
      throw new Error(`"${pair}" maps no attribute: write one such as email=mail, for ${MAPPED.join(', ')}`);
    if (attribute === '' && ['name', 'subject', 'group'].includes(field))
      throw new Error(`"${pair}" leaves out what is always needed: name its attribute`);
    return [field, attribute] as const;
  })(text);
  return Object.fromEntries(pairs);
};

/** The address of a web page. Empty if it is not set. */
const webPage: Parser<string> = (text) => {
  const isPage = text === '' || (/^https?:\/\//.test(text) && URL.canParse(text));
  if (!isPage)
    throw new Error(
      `"${text}" is no address of a page: write one such as https://password.example.org/change`,
    );
  return text;
};

/** The settings of the directory whose people may log in. */
export const LDAP = {
  ldapUrls: setting(
    listOf(serverUrl),
    '',
    'LDAP servers, such as ldaps://dc1.example.org,ldaps://dc2.example.org: the first that answers is asked; empty: no directory.',
  ),
  ldapKind: setting(
    oneOf('openldap', 'active-directory'),
    'openldap',
    'Kind of the directory. It decides the filters and attributes that are not set.',
  ),
  ldapStartTls: setting(yesOrNo, 'false', 'Whether connections to ldap:// URLs are upgraded to TLS.'),
  ldapCa: setting(
    anyText,
    '',
    'File with the certificates (PEM) to check the servers against; empty: those that Node trusts.',
  ),
  ldapPlainText: setting(
    yesOrNo,
    'false',
    'Whether passwords may go to a directory on another machine without TLS.',
  ),
  ldapBindDn: setting(anyText, '', 'The account that searches; empty: the search is anonymous.'),
  ldapBindPassword: {
    ...secret(anyText, 'The password of that account.'),
    asGiven: 'reread',
  },
  ldapUserBase: setting(
    anyText,
    '',
    'Entry below which the people are, such as ou=people,dc=example,dc=org.',
  ),
  ldapUserFilter: setting(
    filterWith('{name}'),
    '',
    'Filter for the people who may log in; {name} is the name that was typed; empty: by the kind, such as (&(objectClass=inetOrgPerson)(uid={name})).',
  ),
  ldapGroupBase: setting(anyText, '', 'Entry below which the groups are; empty: groups are not read.'),
  ldapGroupFilter: setting(
    filterWith('{dn}', '{name}'),
    '',
    'Filter for the groups of a member; {dn} is its entry, {name} its name; empty: by the kind.',
  ),
  ldapNestedGroups: setting(
    yesOrNo,
    'true',
    'Whether members of a group are also members of the groups that contain it.',
  ),
  ldapGroupPrefix: setting(
    anyText,
    '',
    'Prefix of the names here of groups from the directory, to tell them from other groups.',
  ),
  ldapRoleGroups: setting(
    listOf(anyText),
    '',
    'Groups here that have a role, or are in one that has, and that the directory may put people into, by their names here, such as ldap-operators. It puts nobody into another group with a role.',
  ),
  ldapAttributes: setting(
    attributeMap,
    '',
    'Attributes in place of those of the kind, such as name=uid,subject=entryUUID,email=mail; subject is the identifier that never changes.',
  ),
  ldapDeadline: setting(
    deadline,
    'PT3S',
    'How long a server may take for each step: to connect, to bind, to search.',
  ),
  ldapRecheck: setting(
    deadline,
    'PT5M',
    'When the directory disables or removes a person, the tickets here end within this time.',
  ),
  ldapTakesLocalNames: setting(
    yesOrNo,
    'false',
    'Whether the directory takes over a local user without a role when its person of that name logs in.',
  ),
  ldapPasswordChange: setting(
    yesOrNo,
    'false',
    'Whether users of the directory change their passwords here, by the old one: written by Password Modify (RFC 3062), or to unicodePwd of Active Directory.',
  ),
  ldapPasswordReset: setting(
    yesOrNo,
    'false',
    'Whether users of the directory who have forgotten their passwords choose new ones by a link in a mail: the account that searches writes them.',
  ),
  ldapPasswordPage: setting(
    webPage,
    '',
    'Page where users of the directory change their passwords, such as https://password.example.org; pages and refusals name it.',
  ),
} satisfies Record<string, Setting<Plain>>;

function faultsOfDirectory(settings: Settings): string[] {
  const { ldapUrls, ldapStartTls, ldapPlainText, ldapUserBase, ldapBindDn, ldapBindPassword } = settings;
  if (ldapUrls.length === 0) {
    if (ldapUserBase === '' && ldapBindDn === '') return [];
    return [
      `${variableOf('ldapUrls')}: name the servers of the directory, or remove the other settings of it, which are of no use alone`,
    ];
  }
  const faults: string[] = [];
  const open = ldapUrls
    .map((url) => new URL(url))
    .find(({ protocol, hostname }) => protocol === 'ldap:' && !isLoopback(hostname));
  if (open !== undefined && !ldapStartTls && !ldapPlainText)
    faults.push(
      `${variableOf('ldapUrls')}: ${open.host} would be sent passwords openly: write ldaps://, or set ${variableOf('ldapStartTls')}=true`,
    );
  if (ldapUserBase === '')
    faults.push(`${variableOf('ldapUserBase')}: name the entry below which the people are`);
  if (ldapBindDn !== '' && ldapBindPassword === undefined)
    faults.push(
      `${variableOf('ldapBindPassword')}_FILE: name the file with the password of ${variableOf('ldapBindDn')}`,
    );
  return [...faults, ...faultsOfPasswords(settings)];
}

function faultsOfPasswords(settings: Settings): string[] {
  const { ldapUrls, ldapKind, ldapStartTls, ldapBindDn, ldapPasswordChange, ldapPasswordReset } = settings;
  const faults: string[] = [];
  const isPlain =
    ldapKind === 'active-directory' && !ldapStartTls && ldapUrls.some((url) => url.startsWith('ldap:'));
  if (isPlain && (ldapPasswordChange || ldapPasswordReset))
    faults.push(
      `${variableOf(ldapPasswordChange ? 'ldapPasswordChange' : 'ldapPasswordReset')}: Active Directory takes new passwords over TLS only: write ldaps:// in ${variableOf('ldapUrls')}, or set ${variableOf('ldapStartTls')}=true`,
    );
  if (ldapPasswordReset && ldapBindDn === '')
    faults.push(
      `${variableOf('ldapPasswordReset')}: name the account that writes the passwords in ${variableOf('ldapBindDn')}`,
    );
  return faults;
}

declare module '../../core/settings/table.ts' {
  interface CapabilitySettings extends ValuesOf<typeof LDAP> {}
}

export const directorySettings: SettingGroup = {
  heading: 'Directory',
  settings: LDAP,
  hardlyEver: ['ldapPlainText', 'ldapNestedGroups', 'ldapDeadline'],
  certificates: ['ldapCa'],
  provides: (provider, { ldapUrls }) => provider === DIRECTORY && ldapUrls.length > 0,
  faults: faultsOfDirectory,
  passwordPages: ({ ldapPasswordPage }) => (ldapPasswordPage === '' ? {} : { ldap: ldapPasswordPage }),
  dangers: ({ ldapPlainText }) => (ldapPlainText ? [openPasswords('ldapPlainText')] : []),
};
