import { REFUSALS, type RefusalCode } from '../domain/refusal.ts';
import { Type } from '../schema.ts';
import type { Representation } from './representation.ts';
import type { ApiError, StatusCode } from './status.ts';

/** The reference's message for a login without a user name or a password. */
const DETAILS_MISSING = 'Invalid login details.';

const V1_KEYS: Partial<Record<RefusalCode | StatusCode, string>> = {
  username_missing: DETAILS_MISSING,
  password_missing: DETAILS_MISSING,
  path_unknown: 'framework.exception.NotFound',
  role_needed: 'framework.exception.PermissionDenied',
  404: 'framework.exception.EntityNotFound',
  405: 'framework.exception.UnsupportedResourceOperation',
  409: 'framework.exception.ConstraintViolated',
  413: 'framework.exception.RequestEntityTooLarge',
  503: 'framework.exception.ServiceUnavailableException',
};

/**
 * The key that programs tell errors apart by, as in the reference. For 400 and 403 it is the fixed sentence itself; for
 * other statuses it is a word for the kind of error.
 */
function v1KeyOf({ refused, code, detail, message }: ApiError): string {
  if (refused === 'ticket_id_unknown') return `Invalid parameter: ${detail}`;
  if (refused === 'constraint_not_found')
    return `Action parameter constraints for name ${detail} do not exist.`;
  if (refused === 'probe_unknown' || refused === 'not_ready') return message;
  const key = V1_KEYS[refused];
  if (key !== undefined) return key;
  if (code === 400 || code === 403) return REFUSALS[refused];
  return V1_KEYS[code] ?? 'framework.exception.ApiDefault';
}

/**
 * The error document of the v1 API (specification, section 10). It shows nothing internal: no stack trace, and no link to a
 * page about the error.
 */
export const v1ErrorShown = {
  schema: Type.Object(
    {
      error: Type.Object({
        errorKey: Type.String(),
        statusCode: Type.Integer(),
        briefSummary: Type.String(),
        stackTrace: Type.String(),
        descriptionURL: Type.String(),
        logId: Type.String(),
      }),
    },
    { title: 'V1 error' },
  ),
  json: (error) => ({
    error: {
      errorKey: v1KeyOf(error),
      statusCode: error.code,
      briefSummary: error.message,
      stackTrace: '',
      descriptionURL: '',
      logId: error.requestId,
    },
  }),
} satisfies Representation<ApiError>;

const OAUTH_CODES: Readonly<Record<number, string>> = {
  401: 'invalid_client',
  500: 'server_error',
  503: 'temporarily_unavailable',
};

/** The text, limited to the characters that a description may have (RFC 6749 section 5.2). */
const oauthText = (text: string) => text.replaceAll('"', "'").replace(/[^ -[\]-~]/g, '?');

/** The error document of OAuth 2.0 (RFC 6749 section 5.2). */
export const oauthErrorShown = {
  schema: Type.Object({ error: Type.String(), error_description: Type.String() }, { title: 'OAuth error' }),
  json: ({ code, message }) => ({
    error: OAUTH_CODES[code] ?? 'invalid_request',
    error_description: oauthText(message),
  }),
} satisfies Representation<ApiError>;

/** What a program that provisions by SCIM can tell errors apart by (RFC 7644 section 3.12, table 9). */
const SCIM_TYPES: Partial<Record<RefusalCode, string>> = {
  body_unreadable: 'invalidSyntax',
  body_invalid: 'invalidValue',
  argument_invalid: 'invalidValue',
  new_password_refused: 'invalidValue',
  filter_invalid: 'invalidFilter',
  filter_too_wide: 'tooMany',
  path_invalid: 'invalidPath',
  target_missing: 'noTarget',
  attribute_fixed: 'mutability',
  name_taken: 'uniqueness',
};

/** The error document of SCIM (RFC 7644 section 3.12). */
export const scimErrorShown = {
  schema: Type.Object(
    {
      schemas: Type.Array(Type.String()),
      scimType: Type.Optional(Type.String()),
      detail: Type.String(),
      status: Type.String(),
    },
    { title: 'SCIM error' },
  ),
  json: ({ code, message, refused }) => ({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    ...(SCIM_TYPES[refused] && { scimType: SCIM_TYPES[refused] }),
    detail: message,
    status: String(code),
  }),
} satisfies Representation<ApiError>;
