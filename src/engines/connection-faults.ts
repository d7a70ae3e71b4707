/** Why a server cannot be reached, for the operator, by the code of the system's error. */
export const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no host of this name',
  EAI_AGAIN: 'the name of the host cannot be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network of the host cannot be reached',
  ETIMEDOUT: 'it does not answer',
  ENOENT: 'there is no such socket or file',
};

/** How the URL of a store names the files of TLS. */
interface TlsNames {
  /** The certificates of the authority that has to vouch for the server's. */
  readonly ca: string;
  /** Our own certificate and its key. */
  readonly cert: string;
  readonly key: string;
}

const OUT_OF_TIME =
  'renew it, or the one that vouches for it, and set the clock of this machine if that is what is wrong';

/** The mend for a certificate that is not trusted, by the code of the fault. */
function mendOf(code: string, { ca }: TlsNames): string {
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') return OUT_OF_TIME;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'name the host as the certificate does';
  return `name its authority with ${ca}`;
}

/** Why TLS with a server failed, with the mend; undefined for an error that is not about TLS. */
export function whyNoTls(error: Error, names: TlsNames): string | undefined {
  const code = 'code' in error ? String(error.code) : '';
  const { cert, key } = names;
  if (code === 'ERR_OSSL_X509_KEY_VALUES_MISMATCH') return `${cert} and ${key} do not belong together`;
  // OpenSSL's message names the server's alert, whatever the code of the error is.
  if (/alert protocol version|unsupported protocol/i.test(error.message))
    return 'it speaks no TLS 1.2 or later: allow that there';
  if (/alert certificate required/i.test(error.message))
    return `it asks for a certificate: name one with ${cert} and ${key}`;
  if (
    /alert (unknown ca|bad certificate|certificate (expired|unknown|revoked)|unsupported certificate)/i.test(
      error.message,
    )
  )
    return `it does not trust the certificate in ${cert}: name one that is still valid and that its authority vouches for`;
  if (/CERT|SIGNATURE|ALTNAME/.test(code))
    return `its certificate is not trusted (${error.message}): ${mendOf(code, names)}`;
  return undefined;
}
