import { isIP } from 'node:net';
import { type Settings, variableOf } from './table.ts';

/** Whether this host is the machine itself. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '');
  return bare === 'localhost' || bare === '::1' || (isIP(bare) === 4 && bare.startsWith('127.'));
}

/** The faults of settings that are valid alone but not together. */
export function faultsOfCombinations(settings: Settings): string[] {
  return [
    ...faultsOfTls(settings),
    ...faultsOfDatabase(settings),
    ...faultsOfSecondFactor(settings),
    ...faultsOfHashes(settings),
    ...faultsOfGate(settings),
    ...faultsOfNodes(settings),
    ...faultsOfShadow(settings),
    ...faultsOfDirectory(settings),
    ...faultsOfScim(settings),
  ];
}

function faultsOfTls({ tlsCert, tlsKey }: Settings): string[] {
  if ((tlsCert === '') === (tlsKey === '')) return [];
  const [missing, given] =
    tlsCert === '' ? (['tlsCert', 'tlsKey'] as const) : (['tlsKey', 'tlsCert'] as const);
  return [
    `${variableOf(missing)}: name the file that belongs to ${variableOf(given)}, or remove both: TLS needs a certificate and its key`,
  ];
}

function faultsOfDatabase({ database, throttleKeyFile }: Settings): string[] {
  if (database === undefined || throttleKeyFile !== '') return [];
  return [
    `${variableOf('throttleKeyFile')}: name a file that all instances and the command line have: with keys of their own they would not count failures together`,
  ];
}

function faultsOfSecondFactor(settings: Settings): string[] {
  const { secondFactor, secondFactorGroups, secretKeysFile, database } = settings;
  const faults: string[] = [];
  if (secondFactor === 'off' && secondFactorGroups.length > 0)
    faults.push(
      `${variableOf('secondFactorGroups')}: no sign-in asks for a second factor: set ${variableOf('secondFactor')}=optional, or name no groups`,
    );
  if (secondFactor === 'required' && database !== undefined && secretKeysFile === '')
    faults.push(
      `${variableOf('secretKeysFile')}: name a file that all instances have: without its keys no user can register an authenticator app, which ${variableOf('secondFactor')}=required asks of every user`,
    );
  return faults;
}

/** The least memory that argon2 needs for a lane, in KiB. */
const LEAST_OF_A_LANE = 8;

function faultsOfHashes({ hashMemory, hashLanes }: Settings): string[] {
  const least = hashLanes * LEAST_OF_A_LANE;
  if (hashMemory >= least) return [];
  return [
    `${variableOf('hashMemory')}: ${hashMemory} KiB are too few for ${hashLanes} lanes: write ${least} or more, or fewer lanes in ${variableOf('hashLanes')}`,
  ];
}

/** The headers with a URI with which proxies also send method and host. */
const WITH_METHOD_AND_HOST = ['x-forwarded-uri', 'x-original-url', 'x-original-uri'];

function faultsOfGate({ gateUriHeader, gateRules, trustedProxies }: Settings): string[] {
  if (gateRules !== '' && !WITH_METHOD_AND_HOST.includes(gateUriHeader))
    return [
      `${variableOf('gateUriHeader')}: the rules in ${variableOf('gateRules')} need a proxy that tells method, host and path of each request: ` +
        'name its header, X-Forwarded-Uri for Traefik and Caddy, X-Original-URL for nginx',
    ];
  if (gateUriHeader === '' || trustedProxies.length > 0) return [];
  return [
    `${variableOf('gateUriHeader')}: the header is read from trusted proxies only, and there is none: name them in ${variableOf('trustedProxies')}`,
  ];
}

function faultsOfNodes({ nodes, nodesUser, nodesPassword, nodesPlainHttp }: Settings): string[] {
  if (nodes === '') return [];
  const faults: string[] = [];
  const url = new URL(nodes);
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !nodesPlainHttp) {
    faults.push(
      `${variableOf('nodes')}: plain http would carry the account's password openly: use https, or set ${variableOf('nodesPlainHttp')}=true`,
    );
  }
  if (nodesUser === '')
    faults.push(`${variableOf('nodesUser')}: name the account that asks the content repository`);
  if (nodesPassword === undefined)
    faults.push(`${variableOf('nodesPassword')}_FILE: name the file with that account's password`);
  return faults;
}

function faultsOfShadow({ shadow, shadowCa }: Settings): string[] {
  if (shadow === '') {
    if (shadowCa === '') return [];
    return [
      `${variableOf('shadowCa')}: is of no use alone: name the old server in ${variableOf('shadow')}, or remove it`,
    ];
  }
  const url = new URL(shadow);
  if (url.protocol === 'https:' || isLoopback(url.hostname)) return [];
  return [
    `${variableOf('shadow')}: plain http would carry passwords openly: use https, with the certificates of your own authority in ${variableOf('shadowCa')}`,
  ];
}

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
  return faults;
}

function faultsOfScim({ scim, scimProvider, ldapUrls, providers }: Settings): string[] {
  if (scimProvider === '') return [];
  if (!scim)
    return [
      `${variableOf('scimProvider')}: is of no use alone: set ${variableOf('scim')}=true, or remove it`,
    ];
  const needed = scimProvider === 'ldap' ? 'ldapUrls' : 'providers';
  if ((needed === 'ldapUrls' ? ldapUrls : providers).length > 0) return [];
  return [
    `${variableOf('scimProvider')}: the provider "${scimProvider}" is not set up: set ${variableOf(needed)}, or remove the provider here`,
  ];
}
