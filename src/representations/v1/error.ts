import { REFUSALS, type RefusalCode } from '../../domain/refusal.ts';
import { Type } from '../../schema.ts';
import type { Representation } from '../representation.ts';
import type { ApiError, StatusCode } from '../status.ts';

/** What the reference says of a login that lacks its user name or its password. */
const DETAILS_MISSING = 'Invalid login details.';

const KEYS: Partial<Record<RefusalCode | StatusCode, string>> = {
  username_missing: DETAILS_MISSING,
  password_missing: DETAILS_MISSING,
  path_unknown: 'framework.exception.NotFound',
  404: 'framework.exception.EntityNotFound',
  405: 'framework.exception.UnsupportedResourceOperation',
  413: 'framework.exception.RequestEntityTooLarge',
  503: 'framework.exception.ServiceUnavailableException',
};

/**
 * The key by which programs tell errors apart, as the reference gives them: for what a request says wrong (400)
 * and what is forbidden (403) the fixed sentence itself, for the rest a word for its kind.
 */
function keyOf({ refused, code, detail }: ApiError): string {
  if (refused === 'ticket_id_unknown') return `Invalid parameter: ${detail}`;
  const key = KEYS[refused];
  if (key !== undefined) return key;
  if (code === 400 || code === 403) return REFUSALS[refused];
  return KEYS[code] ?? 'framework.exception.ApiDefault';
}

/** The error document of the v1 API (`wire.md` section 10): nothing of the inside, so no stack trace, and no page about the error. */
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
      errorKey: keyOf(error),
      statusCode: error.code,
      briefSummary: error.message,
      stackTrace: '',
      descriptionURL: '',
      logId: error.requestId,
    },
  }),
} satisfies Representation<ApiError>;
