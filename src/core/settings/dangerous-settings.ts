import type { Finding } from '../domain/finding.ts';
import { isLoopback, socketPathIn } from './combinations.ts';
import { type SettingKey, type Settings, variableOf } from './table.ts';

const warning = (what: string, mend: string): Finding => ({ level: 'warning', what, mend });

/** Passwords that cross a network in plain HTTP although the settings do not allow it. `url` is where the service listens. */
export function plainHttpFinding(url: string, settings: Settings): Finding | undefined {
  const { protocol, hostname } = new URL(url);
  const isSafe =
    /^(?:https|unix):$/.test(protocol) || isLoopback(hostname) || settings.trustedProxies.length > 0;
  if (isSafe || settings.insecureHttp) return undefined;
  return warning(
    `passwords and tickets cross the network openly, since ${url} is plain HTTP on an address other than loopback`,
    `name a certificate in ${variableOf('tlsCert')} and ${variableOf('tlsKey')}, or the proxy that speaks TLS in ${variableOf('trustedProxies')}, or set ${variableOf('insecureHttp')}=true if this is meant`,
  );
}

/** A range of trusted proxies that holds every address. */
export function everyAddressTrusted({ trustedProxies }: Settings): Finding | undefined {
  const all = trustedProxies.find((range) => /\/0+$/.test(range));
  if (all === undefined) return undefined;
  return {
    level: 'fault',
    what: `${variableOf('trustedProxies')}: ${all} trusts every address, so each client can claim any address, and no limit for an address holds`,
    mend: 'name the addresses of your own proxies only',
  };
}

/** The URL at which a service with these settings listens, for messages. */
function listeningUrl({ host, port, tlsCert }: Settings): string {
  if (socketPathIn(host) !== undefined) return host;
  const name = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  return `${tlsCert === '' ? 'http' : 'https'}://${name}:${port}`;
}

const WRITTEN_BY_ALL = 0o002;

function openSocket({ host, socketMode, trustedProxies }: Settings): Finding | undefined {
  const isOpen = socketPathIn(host) !== undefined && (socketMode & WRITTEN_BY_ALL) !== 0;
  if (!isOpen || !trustedProxies.includes('unix:')) return undefined;
  return warning(
    `${variableOf('socketMode')}: every user of this machine reaches the socket, and ${variableOf('trustedProxies')} believes each of them which address a client has`,
    'set 0660, and put the user of the proxy into the group of the socket',
  );
}

function loginByUrl(settings: Settings): Finding | undefined {
  const { loginGet, host, tlsCert, trustedProxies } = settings;
  if (!loginGet || tlsCert !== '' || trustedProxies.length > 0 || isLoopback(host)) return undefined;
  return warning(
    `${variableOf('loginGet')}: logins by GET carry their passwords in the URL, here without TLS`,
    `set ${variableOf('loginGet')}=false if no client needs them, and serve TLS`,
  );
}

function guessing({ throttleAfter, lockoutThreshold }: Settings): Finding | undefined {
  if (throttleAfter !== 0 && lockoutThreshold !== 0) return undefined;
  const off = throttleAfter === 0 ? 'throttleAfter' : 'lockoutThreshold';
  return warning(
    `${variableOf(off)}=0: guesses of passwords are not slowed down${off === 'throttleAfter' ? ' at one address' : ' from many addresses'}`,
    'remove the setting, so that its default holds',
  );
}

function endlessTickets({ ticketIdle, ticketAge }: Settings): Finding | undefined {
  if (ticketIdle !== Number.POSITIVE_INFINITY || ticketAge !== Number.POSITIVE_INFINITY) return undefined;
  return warning(
    `${variableOf('ticketIdle')} and ${variableOf('ticketAge')} are off, so a stolen ticket is good until it is logged out`,
    'set one of them',
  );
}

/** The danger of a setting that lets a server of others be sent passwords openly. */
export const openPasswords = (key: SettingKey): Finding =>
  warning(
    `${variableOf(key)}=true: passwords may cross the network openly`,
    'use TLS to that server, and remove the setting',
  );

function openOrigin({ allowedOrigins }: Settings): Finding | undefined {
  const open = allowedOrigins.find(
    (each) => each.startsWith('http://') && !isLoopback(new URL(each).hostname),
  );
  if (open === undefined) return undefined;
  return warning(
    `${variableOf('allowedOrigins')}: pages of ${open} come over plain HTTP, where others on the network can change what they do with a ticket`,
    'serve these pages over HTTPS, and name that origin',
  );
}

/** The memory and passes of the defaults, which follow OWASP's cheat sheet for argon2id. */
export const OWASP = { memory: 19_456, passes: 2 };

function cheapHashes({ hashMemory, hashPasses }: Settings): Finding | undefined {
  if (hashMemory * hashPasses >= OWASP.memory * OWASP.passes) return undefined;
  return warning(
    `${variableOf('hashMemory')}=${hashMemory} and ${variableOf('hashPasses')}=${hashPasses} make hashes that are quick to guess, should the database be stolen`,
    `use ${OWASP.memory} KiB and ${OWASP.passes} passes or more, which are the defaults`,
  );
}

function silence({ logLevel }: Settings): Finding | undefined {
  if (logLevel !== 'silent') return undefined;
  return warning(
    `${variableOf('logLevel')}=silent: no fault and no warning is logged`,
    'log at level warn or info',
  );
}

const DANGERS: readonly ((settings: Settings) => Finding | undefined)[] = [
  (settings) => plainHttpFinding(listeningUrl(settings), settings),
  everyAddressTrusted,
  openSocket,
  loginByUrl,
  guessing,
  endlessTickets,
  openOrigin,
  cheapHashes,
  silence,
];

/** The dangers of settings of the core that are valid. */
export const dangersIn = (settings: Settings): readonly Finding[] =>
  DANGERS.flatMap((look) => look(settings) ?? []);
