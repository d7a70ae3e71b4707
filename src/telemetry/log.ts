import pino, { type Logger } from 'pino';
import { redact } from './redaction.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Lines are written some KiB at a time: a system call for each would cost more than all else about it. A crash loses the last ones. */
const GATHERED = { minLength: 32_768, maxWrite: 65_536 };

/** What a pipe takes in one piece, whoever else writes to it (PIPE_BUF on Linux), in bytes. */
const IN_ONE_PIECE = { minLength: 2_048, maxWrite: 4_096 };

/** Standard output; lines wait at most 200 ms. */
function output(pieces: typeof GATHERED): pino.DestinationStream {
  const stream = pino.destination({ ...pieces, sync: false, periodicFlush: 200, contentMode: 'buffer' });
  // Texts would be measured anew with each line that is added to them.
  return { write: (line) => stream.write(Buffer.from(line) as never) };
}

/** Standard output that other processes write to as well: no line up to 4,096 bytes lands within another's. */
export const sharedOutput = (): pino.DestinationStream => output(IN_ONE_PIECE);

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
export function openLog(level: LogLevel, stream: pino.DestinationStream = output(GATHERED)): Logger {
  return pino({ level, base: null, timestamp: time, hooks: { streamWrite: redact } }, stream);
}

const INFO = pino.levels.values.info as number;

/** Writes `fields`, of which at least one has a value, as `log.info` does, in half of the time: for the line of each request. */
export function writeLine(log: Logger, fields: object, message: string): void {
  if (log.levelVal > INFO) return;
  const stream: pino.DestinationStream = Reflect.get(log, pino.symbols.streamSym);
  const written = JSON.stringify(fields).slice(1, -1);
  stream.write(redact(`{"level":${INFO}${time()},${written},"msg":"${message}"}\n`));
}
