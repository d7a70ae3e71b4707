import pino from 'pino';

/** Bytes of lines that wait to be written at most, such as 30,000 lines of requests; further lines are dropped. */
const MOST_WAITING = 8 * 1_024 * 1_024;

/** Where lines go. */
export interface Output extends pino.DestinationStream {
  /** Has `tell` told how many lines were dropped, once one is taken again. */
  onGap(tell: (lines: number) => void): void;
}

/** In which pieces lines are written, in bytes. */
interface Pieces {
  readonly minLength: number;
  readonly maxWrite: number;
}

/** Lines are written some KiB at a time: a system call for each would cost more than all else about it. A crash loses the last ones. */
const GATHERED: Pieces = { minLength: 32_768, maxWrite: 65_536 };

/** What a pipe takes in one piece, whoever else writes to it (PIPE_BUF on Linux), in bytes. */
const IN_ONE_PIECE: Pieces = { minLength: 2_048, maxWrite: 4_096 };

let dropped = 0;

/** Lines of this process that were never written, since standard output did not take them in time. */
export function droppedLines(): number {
  return dropped;
}

/**
 * Standard output; lines wait at most 200 ms, or for as long as it takes none. Whatever becomes of it, nothing is thrown
 * and the process goes on.
 */
function output(pieces: Pieces): Output {
  const settings = { maxLength: MOST_WAITING, periodicFlush: 200, contentMode: 'buffer' } as const;
  const stream = pino.destination({ ...pieces, ...settings, sync: false });
  surviveFaults(stream);
  let untold = 0;
  let tell = (_lines: number) => {};
  stream.on('drop', () => {
    dropped += 1;
    untold += 1;
  });
  return {
    write(line) {
      const before = untold;
      // Texts would be measured anew with each line that is added to them.
      stream.write(Buffer.from(line) as never);
      if (before === 0 || untold > before) return;
      untold = 0;
      tell(before);
      // What tells of it may have been dropped itself.
      if (untold > 0) untold += before;
    },
    onGap(listener) {
      tell = listener;
    },
  };
}

function surviveFaults(stream: ReturnType<typeof pino.destination>): void {
  let isFaulty = false;
  // Pino's own listener throws whatever is no broken pipe.
  stream.removeAllListeners('error');
  // What could not be written is tried again with the next lines.
  stream.on('error', () => {
    isFaulty = true;
  });
  stream.on('write', () => {
    isFaulty = false;
  });
  // Called at the exit of the process. Where nothing can be written it would try for ever.
  const flushSync = stream.flushSync.bind(stream);
  stream.flushSync = () => {
    if (!isFaulty) flushSync();
  };
  // One try before it, which ends: output that was idle may have become faulty meanwhile.
  process.once('beforeExit', () => stream.flush());
}

/** Standard output that nobody else writes to. */
export const ownOutput = (): Output => output(GATHERED);

/** Standard output that other processes write to as well: no line up to 4,096 bytes lands within another's. */
export const sharedOutput = (): Output => output(IN_ONE_PIECE);
