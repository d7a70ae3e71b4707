import { getAsset } from 'node:sea';
import { Worker as WorkerOfFile, type WorkerOptions } from 'node:worker_threads';

export * from 'node:worker_threads';

/** The name of the program of the thread that judges passwords, among the files that the one file brings. */
export const THREAD = 'judging-thread.js';

/** As Node's, with the program that the one file brings: a thread can be started from a text, but from no file in it. */
export class Worker extends WorkerOfFile {
  constructor(_: URL, options: WorkerOptions) {
    super(getAsset(THREAD, 'utf8'), { ...options, eval: true });
  }
}
