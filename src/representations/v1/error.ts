import { Type } from '../../schema.ts';
import type { Representation } from '../representation.ts';

/** An error of the v1 API (`wire.md` section 10). */
export interface V1Error {
  /** By which programs tell errors apart. */
  readonly key: string;
  readonly code: number;
  readonly message: string;
  /** The request's id, under which the log tells more. */
  readonly requestId: string;
}

/** The error document of the v1 API: nothing of the inside, so no stack trace, and no page about the error. */
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
  json: ({ key, code, message, requestId }) => ({
    error: {
      errorKey: key,
      statusCode: code,
      briefSummary: message,
      stackTrace: '',
      descriptionURL: '',
      logId: requestId,
    },
  }),
} satisfies Representation<V1Error>;
