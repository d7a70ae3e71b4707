import cluster, { type Worker } from 'node:cluster';
import type { Announcement } from '../../core/first-start.ts';
import { errorOf, type FromWorker, type Plan, type ToWorker, type WorkerQuery } from './messages.ts';

/** How long a worker may take to answer a question, in milliseconds. */
const DEADLINE = 2_000;

/** Why a worker did not start, in a sentence with the mend. */
export class WorkerNotStarted extends Error {
  override name = 'WorkerNotStarted';
}

/** Node's own object for a connection; its types lack it. */
interface ConnectionHandle {
  close(): void;
}

function isConnectionHandle(value: unknown): value is ConnectionHandle {
  return typeof value === 'object' && value !== null && 'close' in value && typeof value.close === 'function';
}

/**
 * Closes a connection that was sent to a worker which ended before it took it. Node's cluster sends a worker one connection at
 * a time, and keeps its own copy open until the worker confirms it: without this, the client of a killed worker waits until it
 * gives up. Closing a copy that is closed already does nothing.
 */
function closeUntaken({ process: child }: Worker): void {
  let sent: ConnectionHandle | undefined;
  let hasEnded = false;
  const send = child.send.bind(child) as (...words: unknown[]) => boolean;
  child.send = (...words: unknown[]) => {
    const [, handle] = words;
    if (isConnectionHandle(handle)) sent = handle;
    // Cluster may not know yet that the worker has ended.
    if (hasEnded) sent?.close();
    return !hasEnded && send(...words);
  };
  // Not `disconnect`: Node delays that one until the worker confirms the connection.
  child.once('exit', () => {
    hasEnded = true;
    sent?.close();
  });
}

/** A worker process, as the primary process sees it. */
export class OneWorker {
  /** Resolves to the URL that it serves. */
  readonly started: Promise<string>;
  /** Resolves to how it ended. */
  readonly ended: Promise<string>;
  readonly #process: Worker;
  readonly #asked = new Map<number, (answer: string | undefined) => void>();
  #number = 0;

  /** `place` is its number among the workers, from 1 on. */
  constructor(plan: Plan, place: number, onAdministrator: (announcement: Announcement) => void) {
    this.#process = cluster.fork();
    closeUntaken(this.#process);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    this.started = promise;
    this.ended = new Promise((end) => {
      this.#process.once('exit', (code, signal) => end(`${signal ?? `code ${code}`}`));
      this.#process.on('error', (error) => {
        // A process that ran emits `exit`. One that was never spawned emits only this error.
        if (this.#process.process.pid !== undefined) return;
        const why = `worker ${place} cannot be started: ${error.message}: see what the system allows this user of processes and memory`;
        reject(new WorkerNotStarted(why, { cause: error }));
        end(error.message);
      });
    });
    this.#process.on('message', (message: FromWorker) => {
      if ('announcement' in message) onAdministrator(message.announcement);
      else if ('started' in message) resolve(message.started);
      else if ('failed' in message) reject(errorOf(message.failed));
      else this.#asked.get(message.number)?.(message.answer);
    });
    void this.ended.then((how) =>
      reject(
        new WorkerNotStarted(
          `worker ${place} ended with ${how} before it had started: see what it wrote before this, and where that is nothing, the system's journal, such as for a limit of memory`,
        ),
      ),
    );
    this.#process.once('online', () => this.#send({ start: plan }));
  }

  /** The worker's answer. Throws if there is none in time. */
  ask(question: WorkerQuery): Promise<string | undefined> {
    this.#number += 1;
    const number = this.#number;
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => answer(undefined, new Error('a worker does not answer')), DEADLINE);
      const answer = (text: string | undefined, fault?: Error) => {
        clearTimeout(late);
        this.#asked.delete(number);
        if (fault === undefined) resolve(text);
        else reject(fault);
      };
      this.#asked.set(number, answer);
      this.#send({ ask: question, number });
    });
  }

  reload(): void {
    this.#send({ does: 'reload' });
  }

  /** Tells it to finish what it does, after its clients have used up their connections if `drained`, and waits for its end. */
  async stop(drained: boolean): Promise<void> {
    this.#send({ does: drained ? 'drainAndStop' : 'stop' });
    await this.ended;
  }

  #send(message: ToWorker): void {
    // A worker that ended, or never began, is noticed by its end.
    if (this.#process.isConnected()) this.#process.send(message, () => undefined);
  }
}
