import { appendFileSync } from 'node:fs';
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

// Loaded into the service by `--import`. Writes a line after each full garbage collection.
const { SOAK_COLLECTIONS: file, SOAK_COLLECT_EVERY: every } = process.env;
if (file === undefined) throw new Error('SOAK_COLLECTIONS names no file');

// The types lack the detail of these entries.
const isFull = (entry: PerformanceEntry) =>
  (entry as { detail?: { kind: number } }).detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR;

// The threads of the service load this file too, and each has a heap of its own.
if (isMainThread)
  new PerformanceObserver((list) => {
    if (!list.getEntries().some(isFull)) return;
    const { rss, heapTotal, heapUsed } = process.memoryUsage();
    appendFileSync(file, `${Date.now()} ${heapUsed} ${rss - heapTotal}\n`);
  }).observe({ entryTypes: ['gc'] });

if (isMainThread && every !== undefined) {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  setInterval(collect, Number(every)).unref();
}
