/** How the URL of a store names the files of TLS. */
export interface TlsNames {
  /** Certificates of the authority that the server's is checked against. */
  readonly ca: string;
  /** Our own certificate, and its key. */
  readonly cert: string;
  readonly key: string;
}

const OUT_OF_TIME =
  'renew it, or the one that vouches for it, and set the clock of this machine if that is what is wrong';

/** By the code of a fault what mends a certificate that is not trusted. */
function mendOf(code: string, { ca }: TlsNames): string {
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') return OUT_OF_TIME;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'name the host as the certificate does';
  return `name its authority with ${ca}`;
}

/** Why TLS with a server came to nothing, with the mend; nothing where the error is another one. */
export function whyNoTls(error: Error, names: TlsNames): string | undefined {
  const code = 'code' in error ? String(error.code) : '';
  const { cert, key } = names;
  if (code === 'ERR_OSSL_X509_KEY_VALUES_MISMATCH') return `${cert} and ${key} do not belong together`;
  // In what OpenSSL says stands which alert the server gave, under whatever code the error comes.
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
