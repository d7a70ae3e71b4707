import type { Parser } from '../../core/settings/parsers.ts';
import { type Plain, type Setting, setting } from '../../core/settings/setting.ts';
import { type SettingGroup, type Settings, type ValuesOf, variableOf } from '../../core/settings/table.ts';

/** The path of the issuer, if its setting names none: where clients of Keycloak look for the realm of Alfresco. */
const USUAL_PATH = '/auth/realms/alfresco';

/** The paths of Keycloak, below that of the issuer. */
export const PROTOCOL = '/protocol/openid-connect';
export const AUTHORIZATION = `${PROTOCOL}/auth`;
/** Where people type the code that a device shows. */
export const DEVICE = '/device';

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** The identifier of an issuer (OpenID Connect Discovery 1.0 section 3), without a slash at its end. Empty if there is none. */
export const issuerAddress: Parser<string> = (text) => {
  if (text === '') return '';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
  const path = url?.pathname.replace(/\/$/, '') ?? '';
  const isPlain =
    /^(?:\/[\w.~-]+)*$/.test(path) && !/^\/(?:portal|alfresco|oauth2|scim|api)(?:\/|$)/.test(path);
  if (url?.protocol === 'http:' && !isSafe)
    throw new Error('it is no issuer: write https, since http is for localhost only');
  if (url === undefined || !isSafe || !isPlain || /[?#@]/.test(text))
    throw new Error(
      'it is no issuer: write the address by which people reach the service, such as https://tickets.example.org',
    );
  return url.origin + (path || USUAL_PATH);
};

const APPLICATIONS = {
  issuer: setting(
    issuerAddress,
    '',
    'Where applications find the service as OpenID provider, such as https://tickets.example.org; a path in it replaces /auth/realms/alfresco. Empty: people sign in to no application.',
  ),
} satisfies Record<string, Setting<Plain>>;

declare module '../../core/settings/table.ts' {
  interface CapabilitySettings extends ValuesOf<typeof APPLICATIONS> {}
}

function faultsOfIssuer({ issuer, portal, database, secretKeysFile }: Settings): string[] {
  if (issuer === '') return [];
  const faults: string[] = [];
  if (!portal) faults.push(`people sign in on the pages for people: set ${variableOf('portal')}=true`);
  if (database !== undefined && secretKeysFile === '')
    faults.push(
      `the keys that sign tokens are sealed in the database that instances share: name the file of the keys for that in ${variableOf('secretKeysFile')}`,
    );
  return faults.map((fault) => `${variableOf('issuer')}: ${fault}`);
}

export const issuerSettings: SettingGroup = {
  heading: 'Signing in to applications',
  settings: APPLICATIONS,
  faults: faultsOfIssuer,
};
