import pino, { type Logger } from 'pino';
import { redact } from './redaction.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** The JSON log on standard output. Every line passes the redaction, whoever wrote it. */
export function openLog(
  level: LogLevel,
  stream: pino.DestinationStream = pino.destination({ sync: false }),
): Logger {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, hooks: { streamWrite: redact } },
    stream,
  );
}
