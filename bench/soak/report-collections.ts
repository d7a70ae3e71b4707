import { appendFileSync } from 'node:fs';
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';

// Loaded into the service by `--import`. Writes a line after each full garbage collection, and forces none.
const file = process.env.SOAK_COLLECTIONS;
if (file === undefined) throw new Error('SOAK_COLLECTIONS names no file');

// The types lack the detail of these entries.
const isFull = (entry: PerformanceEntry) =>
  (entry as { detail?: { kind: number } }).detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR;

new PerformanceObserver((list) => {
  if (!list.getEntries().some(isFull)) return;
  const { rss, heapTotal, heapUsed } = process.memoryUsage();
  appendFileSync(file, `${Date.now()} ${heapUsed} ${rss - heapTotal}\n`);
}).observe({ entryTypes: ['gc'] });
