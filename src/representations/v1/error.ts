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
export function v1Error({ key, code, message, requestId }: V1Error) {
  return {
    error: {
      errorKey: key,
      statusCode: code,
      briefSummary: message,
      stackTrace: '',
      descriptionURL: '',
      logId: requestId,
    },
  };
}
