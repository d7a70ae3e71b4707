import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';

/** The machine of a measurement. */
export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly memoryGiB: number;
  readonly system: string;
  readonly node: string;
  /** The load average of the last minute. */
  readonly busy: number;
}

/** This machine. */
export function machine(): Machine {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? 'unknown processor',
    memoryGiB: Math.round((totalmem() / 2 ** 30) * 10) / 10,
    system: `${type()} ${release()}`,
    node: process.version,
    busy: Math.round((loadavg()[0] ?? 0) * 100) / 100,
  };
}
