const CODES: Readonly<Record<number, string>> = {
  401: 'invalid_client',
  500: 'server_error',
  503: 'temporarily_unavailable',
};

/** The text in the characters that a description may have (RFC 6749 section 5.2). */
const described = (text: string) => text.replaceAll('"', "'").replace(/[^ -[\]-~]/g, '?');

/** The error document of OAuth 2.0 (RFC 6749 section 5.2), for an answer with this status. */
export function oauthError(status: number, message: string) {
  return { error: CODES[status] ?? 'invalid_request', error_description: described(message) };
}
