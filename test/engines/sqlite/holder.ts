import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/** Holds the write lock of a database for some milliseconds, from a thread of its own. */
const { file, time } = workerData as { file: string; time: number };
const db = new DatabaseSync(file);
db.exec('BEGIN IMMEDIATE');
parentPort?.postMessage('held');
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, time);
db.exec('ROLLBACK');
db.close();
