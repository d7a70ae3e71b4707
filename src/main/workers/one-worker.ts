import cluster, { type Worker } from 'node:cluster';
import type { Announcement } from '../../first-start.ts';
import { errorOf, type FromWorker, type Plan, type Question, type ToWorker } from './messages.ts';

/** How long a worker may take to answer a question, in milliseconds. */
const DEADLINE = 2_000;

/** Why a worker has not come to start, in a sentence with the mend. */
export class WorkerNotStarted extends Error {
  override name = 'WorkerNotStarted';
}

/** A worker process, as the primary one sees it. */
export class OneWorker {
  /** Resolves to the URL that it serves. */
  readonly started: Promise<string>;
  /** Resolves to how it ended. */
  readonly ended: Promise<string>;
  readonly #process: Worker;
  readonly #asked = new Map<number, (answer: string | undefined) => void>();
  #number = 0;

  /** `place` is its number among the workers, from 1 on. */
  constructor(plan: Plan, place: number, onAdministrator: (made: Announcement) => void) {
    this.#process = cluster.fork();
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    this.started = promise;
    this.ended = new Promise((end) => {
      this.#process.once('exit', (code, signal) => end(`${signal ?? `code ${code}`}`));
      this.#process.on('error', (error) => {
        // What ends tells its exit; what was never spawned has none to tell.
        if (this.#process.process.pid !== undefined) return;
        const why = `worker ${place} cannot be started: ${error.message}: see what the system allows this user of processes and memory`;
        reject(new WorkerNotStarted(why, { cause: error }));
        end(error.message);
      });
    });
    this.#process.on('message', (message: FromWorker) => {
      if ('made' in message) onAdministrator(message.made);
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
    this.#process.once('online', () => this.#tell({ start: plan }));
  }

  /** The worker's answer; throws when there is none in time. */
  ask(question: Question): Promise<string | undefined> {
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
      this.#tell({ ask: question, number });
    });
  }

  reload(): void {
    this.#tell({ does: 'reload' });
  }

  /** Has it finish what it does, and waits for its end. */
  async stop(): Promise<void> {
    this.#tell({ does: 'stop' });
    await this.ended;
  }

  #tell(message: ToWorker): void {
    // Whoever ended meanwhile, or never began, is noticed by its end.
    if (this.#process.isConnected()) this.#process.send(message, () => undefined);
  }
}
