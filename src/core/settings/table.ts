import { SECOND_FACTOR } from '../../capabilities/factors/settings.ts';
import { DIRECTORY } from '../../capabilities/ldap/settings.ts';
import { SCIM } from '../../capabilities/scim/settings.ts';
import { EVENTS } from '../../capabilities/webhooks/settings.ts';
import { GATE_AND_PORTAL } from './gate-and-portal.ts';
import type { GivenSetting } from './given.ts';
import {
  addressRange,
  anyText,
  basePath,
  countOrShare,
  databaseUrl,
  deadline,
  delayOrOff,
  duration,
  durationOrOff,
  edition,
  host,
  listOf,
  oneOf,
  origin,
  type Parser,
  path,
  release,
  repositoryUrl,
  servedHost,
  someOf,
  ticketsUrl,
  wholeNumber,
  yesOrNo,
} from './parsers.ts';
import { type Plain, type Setting, secret, setting } from './setting.ts';

const port = wholeNumber(0, 65_535, 'port');
const count = wholeNumber(0, 1_000_000_000);
const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** Every setting: `ticketIdle` is `TESSERA_TICKET_IDLE`, `--ticket-idle` and `"ticketIdle"` in the file. */
export const SETTINGS = {
  host: setting(host, '127.0.0.1', 'Address to listen on. For a name, its first address.'),
  port: setting(port, '8080', 'Port to listen on; 0 takes any free one.'),
  tlsCert: setting(
    anyText,
    '',
    'File with the certificate chain (PEM), the own certificate first. The port then speaks TLS; empty: plain HTTP.',
  ),
  tlsKey: setting(anyText, '', 'File with the private key of that certificate (PEM, without a passphrase).'),
  insecureHttp: setting(
    yesOrNo,
    'false',
    'Whether plain HTTP on addresses other than loopback is intended: the start then prints no warning.',
  ),
  hosts: setting(
    listOf(servedHost),
    '',
    'Hosts that are served; empty: on a loopback address its names and the hosts that trusted proxies pass on, else every host.',
  ),
  trustedProxies: setting(
    listOf(addressRange),
    '',
    'Addresses or ranges of proxies whose X-Forwarded-For and -Host are trusted.',
  ),
  workers: setting(
    wholeNumber(1, 64),
    '1',
    'Processes that share the port; more than one for each core are of no use.',
  ),
  data: setting(path, './data', 'Folder of the embedded store.'),
  // Secret, since it may hold a password.
  database: secret(
    databaseUrl,
    'Database of the service, such as postgres://user@host1,host2/tessera; without one: the embedded store.',
  ),
  databasePassword: {
    ...secret(anyText, 'The password of that database, in place of one in its URL.'),
    asGiven: 'reread',
  },
  // Secret, since it may hold a password.
  tickets: secret(
    ticketsUrl,
    'Redis for tickets and counters of failures, such as redis://user@host1:6379,host2:6379; without one: the database.',
  ),
  ticketsPassword: {
    ...secret(anyText, 'The password of that Redis, in place of one in its URL.'),
    asGiven: 'reread',
  },
  ticketsReplicas: setting(
    wholeNumber(0, 10),
    '1',
    'Replicas that must confirm a write to Redis before it is acknowledged, if the master has that many.',
  ),
  ticketsReplicaDeadline: setting(
    deadline,
    'PT0.5S',
    'How long those replicas may take before the answer is 503.',
  ),
  ticketIdle: setting(
    durationOrOff,
    'PT1H',
    'A ticket ends when it has not been used for this long; off: never.',
  ),
  ticketAge: setting(durationOrOff, 'PT24H', 'A ticket ends this long after its login; off: never.'),
  ticketsPerUser: setting(count, '1000', 'Live tickets that a user may have; 0: any number.'),
  ticketsFull: setting(
    oneOf('replace-oldest', 'refuse'),
    'replace-oldest',
    'What a login does when the user has that many.',
  ),
  ticketsWithoutPassword: setting(
    count,
    '60',
    'Tickets a minute that one address gets for users without a password, such as a guest; 0: any number.',
  ),
  throttleAfter: setting(count, '5', 'Failures after which a user name has to wait at an address; 0: never.'),
  lockoutThreshold: setting(
    count,
    '100',
    'Failures from all addresses after which a user name is locked out; 0: never.',
  ),
  lockoutDuration: setting(
    duration,
    'PT15M',
    'How long the first such lock-out lasts; each further one twice as long, up to a day.',
  ),
  lockoutTickets: setting(
    oneOf('suspended', 'valid'),
    'suspended',
    'What the live tickets of a user are during such a lock-out. A lock by hand always suspends them.',
  ),
  throttleKeyFile: setting(
    anyText,
    '',
    'File with the key of the failure counters; with the embedded store by default throttle-key in the data folder, made if missing.',
  ),
  ...GATE_AND_PORTAL,
  ...SECOND_FACTOR,
  ...SCIM,
  basePaths: setting(
    someOf(basePath, 'base path'),
    '/alfresco/service,/alfresco/s,/alfresco/wcs,/alfresco/wcservice,/',
    'Paths below which every operation answers.',
  ),
  allowedOrigins: setting(
    listOf(origin),
    '',
    'Origins of web pages that may log in from elsewhere and get CORS answers.',
  ),
  index: setting(
    oneOf('public', 'user', 'off'),
    'user',
    'Who may read /index, /openapi.json and the API reference: everybody, users only, or nobody.',
  ),
  peopleVisible: setting(
    oneOf('own', 'all'),
    'own',
    'Whose profile and groups users see: only their own, or those of all users; administrators see all.',
  ),
  announcedVersion: setting(
    release,
    '3.2.0 (2039)',
    'Version that /api/server and status documents announce; clients read from it what they may use.',
  ),
  announcedEdition: setting(edition, 'Tessera', 'Edition that they announce.'),
  loginGet: setting(yesOrNo, 'true', 'Whether a login by GET, with its password in the URL, is served.'),
  namesCaseSensitive: setting(
    yesOrNo,
    'false',
    'Whether user names differ by case. The store keeps it: once there are users, the other value is refused.',
  ),
  adminPassword: {
    ...secret(anyText, 'Password of the administrator admin, read only while there is no user.'),
    asGiven: 'unread',
  },
  passwordLength: setting(
    wholeNumber(1, 256),
    '8',
    'Fewest characters of a new password; NIST SP 800-63B-4 requires 15.',
  ),
  breachedPasswords: setting(
    anyText,
    '',
    'File of breached passwords, which are refused as new ones: SHA-1 in hex, one on each line, sorted; empty: none.',
  ),
  hashMemory: setting(wholeNumber(8, 4_194_304), '19456', 'Memory of a password hash (argon2id), in KiB.'),
  hashPasses: setting(wholeNumber(1, 100), '2', 'Passes of a password hash.'),
  hashLanes: setting(wholeNumber(1, 64), '1', 'Lanes of a password hash.'),
  hashDeadline: setting(
    deadline,
    'PT5S',
    'How long a login may wait for its hash before it is answered 503.',
  ),
  bodyLimit: setting(wholeNumber(1_024, 10_485_760), '65536', 'Most bytes of a request body.'),
  requestDeadline: setting(
    deadline,
    'PT10S',
    'How long a client may take to send its header or its whole request, and how long it may read nothing of its answer.',
  ),
  connections: setting(
    wholeNumber(1, 1_000_000),
    '10000',
    'Most connections at a time in each worker; further ones are closed.',
  ),
  connectionsPerAddress: setting(
    countOrShare,
    '25%',
    'How many of them one address may have, as a number or a percentage; an IPv6 /64 is one address, trusted proxies have no limit.',
  ),
  stopDeadline: setting(
    deadline,
    'PT10S',
    'How long requests in flight may take when the service is stopped.',
  ),
  stopDelay: setting(
    delayOrOff,
    'off',
    'How long the service takes connections after SIGTERM, while it says that it is not ready.',
  ),
  definitions: setting(
    anyText,
    '',
    'File or folder of action definitions that add to the built-in ones or replace them; hidden files are ignored.',
  ),
  definitionsGeneration: setting(
    oneOf('3.2', 'current'),
    '3.2',
    'The built-in action definitions: of release 3.2, or of today.',
  ),
  model: setting(
    anyText,
    '',
    'File or folder of node types that add to the built-in ones or replace them; hidden files are ignored.',
  ),
  nodes: setting(
    repositoryUrl,
    '',
    'Content repository to ask for nodes and for the values of constraints, such as https://host/alfresco; empty: the store keeps the nodes.',
  ),
  nodesUser: setting(
    anyText,
    '',
    'The account for those requests. Every user here can learn what it may see: give it few rights.',
  ),
  nodesPassword: secret(anyText, 'The password of that account.'),
  nodesDeadline: setting(deadline, 'PT3S', 'How long the content repository may take for an answer.'),
  nodesPlainHttp: setting(
    yesOrNo,
    'false',
    'Whether plain HTTP to a content repository on another machine is allowed.',
  ),
  shadow: setting(
    repositoryUrl,
    '',
    'Server that is being replaced, such as https://old-server/alfresco. It is asked about unknown users, and those it knows are added.',
  ),
  shadowCa: setting(
    anyText,
    '',
    'File with the certificates (PEM) to check the old server against; empty: those that Node trusts.',
  ),
  shadowDeadline: setting(deadline, 'PT3S', 'How long the old server may take for an answer.'),
  ...DIRECTORY,
  metricsHost: setting(host, '127.0.0.1', 'Address of the metrics port.'),
  metricsPort: setting(port, '9464', 'Port of /metrics and /health; 0: off.'),
  ...EVENTS,
  logLevel: setting(oneOf(...LEVELS), 'info', 'What is logged: info has a line for each request.'),
} satisfies Record<string, Setting<Plain>>;

export type SettingKey = keyof typeof SETTINGS;

type SettingValue<S> = S extends { readonly asGiven: string }
  ? GivenSetting | undefined
  : S extends { readonly parse: Parser<infer T> }
    ? S extends { readonly default: string }
      ? T
      : T | undefined
    : never;

/** The settings in effect. Durations are in milliseconds. */
export type Settings = { readonly [K in SettingKey]: SettingValue<(typeof SETTINGS)[K]> };

export const SETTING_KEYS = Object.keys(SETTINGS) as SettingKey[];

/** The environment variable of a setting. */
export function variableOf(key: SettingKey): string {
  return `TESSERA_${key.replace(/[A-Z]/g, '_$&').toUpperCase()}`;
}

/** The flag of a setting. For a secret, the flag takes only a file: other users can see command lines. */
export function flagOf(key: SettingKey): string {
  const name = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return isSecret(key) ? `--${name}-file` : `--${name}`;
}

export function isSecret(key: SettingKey): boolean {
  return (SETTINGS[key] as Setting<unknown>).secret === true;
}
