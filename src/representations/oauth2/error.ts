import { Type } from '../../schema.ts';
import type { Representation } from '../representation.ts';
import type { ApiError } from '../status.ts';

const CODES: Readonly<Record<number, string>> = {
  401: 'invalid_client',
  500: 'server_error',
  503: 'temporarily_unavailable',
};

/** The text, limited to the characters that a description may have (RFC 6749 section 5.2). */
const described = (text: string) => text.replaceAll('"', "'").replace(/[^ -[\]-~]/g, '?');

/** The error document of OAuth 2.0 (RFC 6749 section 5.2). */
export const oauthErrorShown = {
  schema: Type.Object({ error: Type.String(), error_description: Type.String() }, { title: 'OAuth error' }),
  json: ({ code, message }) => ({
    error: CODES[code] ?? 'invalid_request',
    error_description: described(message),
  }),
} satisfies Representation<ApiError>;
