import { parentPort, workerData } from 'node:worker_threads';
import { openSqlite } from '../../service/stores.ts';

/** One of several that open the same new folders at the same moment. */
const { folders, gate, parties } = workerData as {
  folders: readonly string[];
  gate: Int32Array;
  parties: number;
};
const faults: string[] = [];
for (const [round, folder] of folders.entries()) {
  Atomics.add(gate, 0, 1);
  const until = performance.now() + 10_000;
  while (Atomics.load(gate, 0) < parties * (round + 1) && performance.now() < until);
  try {
    await openSqlite(folder).close();
  } catch (error) {
    faults.push(String(error));
  }
}
parentPort?.postMessage(faults);
