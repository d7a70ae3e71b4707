import { readFileSync } from 'node:fs';

/** Clock ticks a second, as the kernel counts processes' time (USER_HZ). */
const TICKS = 100;

/** CPU seconds that a process has used, with the processes that it made and that have ended; 0 when it is gone. */
export function cpuSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    // proc(5): utime, stime, cutime and cstime are the fields 14 to 17, counted from before the name.
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
  } catch {
    return 0;
  }
}
