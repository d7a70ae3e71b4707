import { ResultCodeError } from 'ldapts';
import { refusalReason } from '../bind.ts';
import { StepFault } from './steps.ts';

/** A server of the directory, as its URL names it. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
}

interface SystemError extends Error {
  readonly code?: string | number;
}

/** The first text that an error has: that of the system for one with several addresses. */
function messageOf(error: SystemError): string {
  if (error instanceof AggregateError) return [...new Set(error.errors.map(String))].join('; ');
  return error.message.split('\n')[0] ?? '';
}

/** The fault of a connection that could not be opened. */
export function connectFault(error: SystemError, { host, port }: ServerAddress): StepFault {
  const at = `${host}:${port}`;
  if (error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN')
    return new StepFault(
      `The name ${host} has no address: check it in TESSERA_LDAP_URLS, and the name servers of this machine.`,
    );
  if (error.code === 'ECONNREFUSED')
    return new StepFault(
      `Nothing listens at ${at}: check that the server runs, and the port in TESSERA_LDAP_URLS (usually 389 for ldap, 636 for ldaps).`,
    );
  if (error.name === 'AbortError' || error.code === 'ETIMEDOUT')
    return new StepFault(
      `No answer from ${at} within the deadline (TESSERA_LDAP_DEADLINE): check the address, and the firewalls between.`,
    );
  return new StepFault(`${at} cannot be reached: ${messageOf(error)}.`);
}

/** Error codes of certificates that no trusted authority has signed. */
const UNTRUSTED = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

const CERTIFICATE_FAULTS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED:
    'The certificate of the server has expired: renew it, and check the clock of this machine.',
  CERT_NOT_YET_VALID: 'The certificate of the server is not valid yet: check the clocks of both machines.',
  CERT_REVOKED: 'The certificate of the server was revoked: give the server another one.',
};

/** The fault of a TLS handshake, or of StartTLS. */
export function tlsFault(error: SystemError, address: ServerAddress, hasCa: boolean): StepFault {
  const { host, port, isSecure } = address;
  const code = String(error.code ?? '');
  if (UNTRUSTED.has(code))
    return new StepFault(
      hasCa
        ? 'The certificate of the server was not signed by an authority in TESSERA_LDAP_CA: that file needs the root of the chain, and the authorities between if the server does not send them.'
        : 'The certificate of the server was not signed by an authority that this machine trusts: name the file with the certificate of its authority in TESSERA_LDAP_CA.',
    );
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    const { cert } = error as { cert?: { subjectaltname?: string } };
    return new StepFault(
      `The certificate of the server is not for ${host}, but for ${cert?.subjectaltname ?? 'no name'}: put a name of the certificate into TESSERA_LDAP_URLS, or give the server a certificate for ${host}.`,
    );
  }
  const text = CERTIFICATE_FAULTS[code];
  if (text !== undefined) return new StepFault(text);
  if (error instanceof ResultCodeError)
    return new StepFault(
      `The server refuses StartTLS (result code ${error.code}): give it a certificate, or use ldaps in TESSERA_LDAP_URLS.`,
    );
  if (error.name === 'AbortError')
    return new StepFault(
      `${host}:${port} did not finish the handshake within the deadline (TESSERA_LDAP_DEADLINE).`,
    );
  const other = isSecure
    ? 'does the port speak plain LDAP? Then use ldap in TESSERA_LDAP_URLS with TESSERA_LDAP_START_TLS=true'
    : 'does the port speak TLS from the start? Then use ldaps in TESSERA_LDAP_URLS';
  return new StepFault(`The TLS handshake failed (${code || messageOf(error)}): ${other}.`);
}

const NEEDS_TLS =
  'The server takes passwords over TLS only: use ldaps in TESSERA_LDAP_URLS, or TESSERA_LDAP_START_TLS=true.';

/** The fault of the bind of the account that searches. */
export function accountFault(error: SystemError, dn: string): StepFault {
  if (!(error instanceof ResultCodeError)) return new StepFault(`The bind failed: ${messageOf(error)}.`);
  const { code } = error;
  if (code === 8 || code === 13) return new StepFault(NEEDS_TLS);
  if (code === 34)
    return new StepFault(
      `"${dn}" is no DN: check TESSERA_LDAP_BIND_DN, such as cn=tessera,dc=example,dc=org.`,
    );
  if (code === 48 || code === 53)
    return new StepFault(
      `The server refuses this kind of bind (result code ${code}): name an account with a password in TESSERA_LDAP_BIND_DN and TESSERA_LDAP_BIND_PASSWORD_FILE.`,
    );
  if (code !== 49)
    return new StepFault(`The bind was answered with result code ${code}: ${messageOf(error)}`);
  const reason = refusalReason(error);
  return new StepFault(
    reason === undefined
      ? `The server refuses "${dn}": there is no such entry, or the password is wrong. Check TESSERA_LDAP_BIND_DN and TESSERA_LDAP_BIND_PASSWORD_FILE.`
      : `The server refuses "${dn}": ${reason}. Mend the account there, or name another one in TESSERA_LDAP_BIND_DN.`,
  );
}

/** The fault of a search below a base, which a setting names. `contexts` are the bases that the server has. */
export function searchFault(
  error: SystemError,
  base: string,
  setting: string,
  contexts: readonly string[],
): StepFault {
  if (!(error instanceof ResultCodeError)) return new StepFault(`The search failed: ${messageOf(error)}.`);
  const has = contexts.length === 0 ? '' : ` The server has ${contexts.join(', ')}.`;
  if (error.code === 32)
    return new StepFault(
      `There is no entry "${base}", or the account may not see it: check ${setting}.${has}`,
    );
  if (error.code === 34) return new StepFault(`"${base}" is no DN: check ${setting}.${has}`);
  if (error.code === 10)
    return new StepFault(
      `Another server has "${base}", and Tessera follows no referral: name that server in TESSERA_LDAP_URLS, or mend ${setting}.${has}`,
    );
  if (error.code === 1 || error.code === 50)
    return new StepFault(
      `The server lets this account search nothing (result code ${error.code}): name an account that may in TESSERA_LDAP_BIND_DN.`,
    );
  return new StepFault(`The search was answered with result code ${error.code}: ${messageOf(error)}`);
}
