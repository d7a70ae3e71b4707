import { isIP } from 'node:net';
import { SocketClosedUnexpectedlyError } from '@redis/client';
import { whyNoTls } from '../tls-faults.ts';
import { UNREACHABLE } from '../unreachable.ts';
import { codeOf } from './errors.ts';
import type { RedisTarget } from './target.ts';

const TLS_NAMES = { ca: 'cacert', cert: 'cert', key: 'key' };
const OF_TLS: Readonly<Record<string, string>> = {
  ERR_SSL_WRONG_VERSION_NUMBER: 'it speaks no TLS: write redis://',
};

/** Whom a connection was to be made to. */
export interface ConnectionAttempt {
  readonly target: RedisTarget;
  /** Whether none was made there before: one that was shows that TLS is as it has to be. */
  readonly isFirst: boolean;
}

/** Why a server that said nothing while a connection was made may have been silent, for the operator. */
export function whySilent({ target, isFirst }: ConnectionAttempt): string {
  // Redis waits on after the greeting of TLS, which is no command to it.
  return isFirst && target.tls !== undefined
    ? 'it does not answer: does it speak TLS? Write redis:// if it does not'
    : 'it does not answer';
}

/** Why a connection could not be made, for the operator. */
export function whyNotConnected(error: Error, { target, isFirst }: ConnectionAttempt): string {
  const { password, tls } = target;
  const refused = codeOf(error);
  if (refused === 'NOAUTH' || refused === 'WRONGPASS')
    return password === undefined
      ? 'it asks for a password, and none was given: name its file in TESSERA_TICKETS_PASSWORD_FILE'
      : 'it refuses the user or the password; check the user in TESSERA_TICKETS and the password in TESSERA_TICKETS_PASSWORD_FILE';
  const code = 'code' in error ? String(error.code) : '';
  const isEnded = code === 'ECONNRESET' || error instanceof SocketClosedUnexpectedlyError;
  if (isEnded && isFirst && tls === undefined)
    return 'it ended the connection: does it speak TLS? Write rediss:// if it does';
  const known = OF_TLS[code] ?? UNREACHABLE[code];
  if (known !== undefined) return known;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' && 'host' in error && isIP(String(error.host)) > 0)
    return `its certificate does not hold its address (${error.message}): have each node of a cluster told by its name, with cluster-announce-hostname`;
  return whyNoTls(error, TLS_NAMES) ?? (error.message || error.name);
}
