import pino, { type Logger } from 'pino';
import { redact } from './redaction.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Lines are written some KiB at a time: a system call for each would cost more than all else about it. A crash loses the last ones. */
const GATHERED = { sync: false, minLength: 32_768, maxWrite: 65_536, periodicFlush: 200 };

/** What a pipe takes in one piece, whoever else writes to it (PIPE_BUF on Linux), in bytes. */
const IN_ONE_PIECE = 4_096;

/** Standard output that other processes write to as well, so that no line lands within another's. */
export const sharedOutput = (): pino.DestinationStream =>
  pino.destination({ ...GATHERED, minLength: IN_ONE_PIECE / 2, maxWrite: IN_ONE_PIECE });

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
  stream: pino.DestinationStream = pino.destination(GATHERED),
): Logger {
  return pino({ level, base: null, timestamp: time, hooks: { streamWrite: redact } }, stream);
}
