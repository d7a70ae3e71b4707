import pino, { type Logger } from 'pino';
import { redact } from './redaction.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

let writtenAt = 0;
let written = '';

/** The time of a line. Lines of one millisecond share its text. */
function time(): string {
  const now = Date.now();
  if (now !== writtenAt) {
    writtenAt = now;
    written = `,"time":"${new Date(now).toISOString()}"`;
  }
  return written;
}

/** The JSON log on standard output. Every line passes the redaction, whoever wrote it. */
export function openLog(
  level: LogLevel,
  stream: pino.DestinationStream = pino.destination({ sync: false }),
): Logger {
  return pino({ level, base: null, timestamp: time, hooks: { streamWrite: redact } }, stream);
}
