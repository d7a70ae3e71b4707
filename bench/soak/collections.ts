import { appendFileSync } from 'node:fs';
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';

// Loaded into the service (`--import`): V8 itself says when a full collection has ended, and nothing is collected by force.
const file = process.env.SOAK_COLLECTIONS;
if (file === undefined) throw new Error('SOAK_COLLECTIONS names no file');

// The types do not know what an entry of a collection says.
const isFull = (entry: PerformanceEntry) =>
  (entry as { detail?: { kind: number } }).detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR;

new PerformanceObserver((list) => {
  if (!list.getEntries().some(isFull)) return;
  const { rss, heapTotal, heapUsed } = process.memoryUsage();
  appendFileSync(file, `${Date.now()} ${heapUsed} ${rss - heapTotal}\n`);
}).observe({ entryTypes: ['gc'] });
