import { isIP } from 'node:net';

/** The service as authenticators know it (WebAuthn section 4, "relying party"). */
export interface RelyingParty {
  /** The domain that passkeys are made for. They work on it and on the hosts below it. */
  readonly id: string;
  /** Where the browser is, such as `https://tickets.example.org`: answers for pages of another origin do not count. */
  readonly origin: string;
}

/**
 * The relying party for a browser at this origin: the host, or `cookieDomain`, the domain of all hosts that share a ticket, if
 * the host is in it. Undefined if no passkey works there: an IP address is no domain (WebAuthn section 5.1.3).
 */
export function relyingPartyAt(origin: string, cookieDomain: string): RelyingParty | undefined {
  if (!URL.canParse(origin)) return undefined;
  const { hostname } = new URL(origin);
  if (hostname.startsWith('[') || isIP(hostname) !== 0) return undefined;
  const isWithin = cookieDomain !== '' && `.${hostname}`.endsWith(`.${cookieDomain}`);
  return { id: isWithin ? cookieDomain : hostname, origin };
}
