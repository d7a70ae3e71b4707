import { isIP } from 'node:net';
import { type Settings, variableOf } from './table.ts';

const UNIX = 'unix:';

/** The path of the Unix socket that this address names; undefined if it names none. */
export const socketPathIn = (address: string): string | undefined =>
  address.startsWith(UNIX) ? address.slice(UNIX.length) : undefined;

/** Whether this host is the machine itself. A Unix socket is. */
export function isLoopback(host: string): boolean {
  if (socketPathIn(host) !== undefined) return true;
  const bare = host.replace(/^\[|\]$/g, '');
  return bare === 'localhost' || bare === '::1' || (isIP(bare) === 4 && bare.startsWith('127.'));
}

/** TLS needs a certificate and its key, and a port. */
export function faultsOfTls({ host, tlsCert, tlsKey }: Settings): string[] {
  if (tlsCert !== '' && socketPathIn(host) !== undefined)
    return [
      `${variableOf('tlsCert')}: a Unix socket does not speak TLS, since what it carries stays on this machine: have the proxy speak TLS, or listen on an address`,
    ];
  if ((tlsCert === '') === (tlsKey === '')) return [];
  const [missing, present] =
    tlsCert === '' ? (['tlsCert', 'tlsKey'] as const) : (['tlsKey', 'tlsCert'] as const);
  return [
    `${variableOf(missing)}: name the file that belongs to ${variableOf(present)}, or remove both: TLS needs a certificate and its key`,
  ];
}

/** Several instances need one key for the counters of failures. */
export function faultsOfThrottleKey({ database, throttleKeyFile }: Settings): string[] {
  if (database === undefined || throttleKeyFile !== '') return [];
  return [
    `${variableOf('throttleKeyFile')}: name a file that all instances and the command line have: with keys of their own they would not count failures together`,
  ];
}

/** The least memory that argon2 needs for a lane, in KiB. */
const LEAST_OF_A_LANE = 8;

/** Each lane of a hash needs memory. */
export function faultsOfHashes({ hashMemory, hashLanes }: Settings): string[] {
  const least = hashLanes * LEAST_OF_A_LANE;
  if (hashMemory >= least) return [];
  return [
    `${variableOf('hashMemory')}: ${hashMemory} KiB are too few for ${hashLanes} lanes: write ${least} or more, or fewer lanes in ${variableOf('hashLanes')}`,
  ];
}
