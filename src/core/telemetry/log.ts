import { LRUCache } from 'lru-cache';
import pino, { type Logger } from 'pino';
import { redact } from '../domain/redaction.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

let millisecond = 0;
let timeText = '';

/** The time of a line. Lines of the same millisecond share its text. */
function time(): string {
  const now = Date.now();
  if (now !== millisecond) {
    millisecond = now;
    timeText = `,"time":"${new Date(now).toISOString()}"`;
  }
  return timeText;
}

/** Opens the JSON log on standard output. Redacts every line. */
export function openLog(
  level: LogLevel,
  stream: pino.DestinationStream & Partial<Output> = ownOutput(),
): Logger {
  const log = pino({ level, base: null, timestamp: time, hooks: { streamWrite: redact } }, stream);
  stream.onGap?.((lines) =>
    log.warn(
      { lines },
      'lines of the log are missing here: standard output did not take them in time, see who reads it',
    ),
  );
  return log;
}

const INFO = pino.levels.values.info as number;

/** Writes a line as `log.info` does, in half the time: for the line of each request. At least one of `fields` must have a value. */
export function writeLine(log: Logger, fields: object, message: string): void {
  if (log.levelVal > INFO) return;
  const stream: pino.DestinationStream = Reflect.get(log, pino.symbols.streamSym);
  const written = JSON.stringify(fields).slice(1, -1);
  stream.write(redact(`{"level":${INFO}${time()},${written},"msg":"${message}"}\n`));
}

/** The faults whose stack was logged: at most how many are remembered, and for how many milliseconds. */
const LOGGED = { max: 100, ttl: 60_000, ttlResolution: 0 };

/** An error's type and message, with the messages of its causes. */
function inShort(fault: Error): { type: string; message: string } {
  const { type, message } = pino.stdSerializers.err(fault);
  return { type, message };
}

let faults = 0;

/** The number of faults that this process logged. */
export function loggedFaults(): number {
  return faults;
}

/**
 * Returns a function that logs a fault in a line at `error`, with the id of the request that met it. The stack of the same
 * fault is logged once a minute: every request meets an outage, and the stacks would fill the disk.
 */
export function faultLogger(log: Logger): (fault: unknown, requestId?: string) => void {
  const brief = log.child({}, { serializers: { err: inShort } });
  const logged = new LRUCache<string, true>(LOGGED);
  const wasLogged = ({ stack = '' }: Error) => {
    if (logged.has(stack)) return true;
    logged.set(stack, true);
    return false;
  };
  return (fault, id) => {
    faults += 1;
    const by = fault instanceof Error && wasLogged(fault) ? brief : log;
    by.error({ err: fault, id }, 'fault');
  };
}

/** The most bytes of lines that wait to be written, which is about 30,000 lines of requests. Further lines are dropped. */
const MOST_WAITING = 8 * 1_024 * 1_024;

/** Where lines go. */
interface Output extends pino.DestinationStream {
  /** Calls `report` with the number of lines that were dropped, once a line is taken again. */
  onGap(report: (lines: number) => void): void;
}

/** How many bytes of lines are written at once. */
interface Pieces {
  readonly minLength: number;
  readonly maxWrite: number;
}

/** Many lines at once: a system call for each line would cost more than everything else about it. A crash loses the last ones. */
const LARGE: Pieces = { minLength: 32_768, maxWrite: 65_536 };

/** The most that a pipe takes in one piece while other processes write to it (PIPE_BUF on Linux). */
const IN_ONE_PIECE: Pieces = { minLength: 2_048, maxWrite: 4_096 };

let dropped = 0;

/** The number of lines of this process that were never written, since standard output did not take them in time. */
export function droppedLines(): number {
  return dropped;
}

/**
 * Standard output. Lines wait at most 200 ms, or as long as it takes none. Whatever happens to it, this throws nothing and
 * the process goes on.
 */
function output(pieces: Pieces): Output {
  const settings = { maxLength: MOST_WAITING, periodicFlush: 200, contentMode: 'buffer' } as const;
  const stream = pino.destination({ ...pieces, ...settings, sync: false });
  surviveFaults(stream);
  let unreported = 0;
  let report = (_lines: number) => {};
  stream.on('drop', () => {
    dropped += 1;
    unreported += 1;
  });
  return {
    write(line) {
      const before = unreported;
      // As bytes: the stream would measure a text anew with each line that is added to it.
      stream.write(Buffer.from(line) as never);
      if (before === 0 || unreported > before) return;
      unreported = 0;
      report(before);
      // The report itself may have been dropped.
      if (unreported > 0) unreported += before;
    },
    onGap(listener) {
      report = listener;
    },
  };
}

function surviveFaults(stream: ReturnType<typeof pino.destination>): void {
  let isFaulty = false;
  // Pino's own listener throws every error but a broken pipe.
  stream.removeAllListeners('error');
  // What could not be written is tried again with the next lines.
  stream.on('error', () => {
    isFaulty = true;
  });
  stream.on('write', () => {
    isFaulty = false;
  });
  // Pino calls this at the exit of the process. If nothing can be written, it would try for ever.
  const flushSync = stream.flushSync.bind(stream);
  stream.flushSync = () => {
    if (!isFaulty) flushSync();
  };
  // One try before that, which ends: standard output may have failed while it was idle.
  process.once('beforeExit', () => stream.flush());
}

/** Standard output that no other process writes to. */
const ownOutput = (): Output => output(LARGE);

/** Standard output that other processes write to as well. No line of up to 4,096 bytes is cut by one of theirs. */
export const sharedOutput = (): Output => output(IN_ONE_PIECE);
