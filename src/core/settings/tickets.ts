import {
  anyText,
  basePath,
  databaseUrl,
  deadline,
  delayOrOff,
  duration,
  durationOrOff,
  edition,
  listOf,
  oneOf,
  origin,
  path,
  release,
  someOf,
  ticketsUrl,
  wholeNumber,
  yesOrNo,
} from './parsers.ts';
import { type Plain, type Setting, secret, setting } from './setting.ts';

const count = wholeNumber(0, 1_000_000_000);

/** Where everything is kept. */
export const STORE = {
  data: setting(path, './data', 'Folder of the embedded store.'),
  migrationCopy: setting(
    yesOrNo,
    'true',
    'Whether the embedded store is kept as a copy beside it before a newer version changes its schema.',
  ),
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
  validationWait: setting(
    delayOrOff,
    'off',
    'How long a validation waits, with PostgreSQL or Redis, so that others share its question what was revoked; with PT0.002S an instance asks at most 500 times a second.',
  ),
  cache: setting(
    count,
    '32768',
    'How many tickets an instance keeps of what it read, and with the embedded store as many values of each other kind; a ticket takes some 500 bytes; 0: none, so that each validation reads its ticket.',
  ),
  secretKeysFile: setting(
    anyText,
    '',
    'File with the keys that encrypt secrets, such as those of authenticator apps; with the embedded store by default secret-keys in the data folder, made if missing.',
  ),
} satisfies Record<string, Setting<Plain>>;

/** How long tickets live, and how many there may be. */
export const TICKETS = {
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
} satisfies Record<string, Setting<Plain>>;

/** What guessing passwords leads to. */
export const GUESSED = {
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
} satisfies Record<string, Setting<Plain>>;

/** What clients find, and who sees what. */
export const FOR_CLIENTS = {
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
} satisfies Record<string, Setting<Plain>>;

/** The rules for passwords, and the cost of their hashes. */
export const PASSWORDS = {
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
} satisfies Record<string, Setting<Plain>>;
