import { Worker } from 'node:worker_threads';
import type { PasswordFault } from '../domain/password-fault.ts';
import type { JudgeStrength } from './new-password.ts';

/** A password that the thread has to judge. */
export interface JudgementRequest {
  readonly number: number;
  readonly password: string;
  /** The name of the user who gets the password. */
  readonly name: string;
}

/** The answer of the thread: the fault of the password, if it has one, or where the judging failed. */
export type Judgement = { readonly number: number } & (
  | { readonly fault: PasswordFault | undefined }
  | { readonly failed: string }
);

/** Thrown when a password could not be judged. Whoever wanted to set it may not: nothing is known of its strength. */
export class NotJudged extends Error {
  override name = 'NotJudged';
}

/** The program of the thread, in TypeScript or compiled. */
const THREAD = new URL(`./judging-thread${import.meta.url.slice(-3)}`, import.meta.url);

/**
 * Judges how hard passwords are to guess in a thread of its own, so that the event loop goes on meanwhile. The thread starts
 * at the first password and stays. If it ends, what it was to judge is refused, and the next password starts another one.
 */
export class PasswordJudge {
  readonly #program: URL;
  readonly #waiting = new Map<number, PromiseWithResolvers<PasswordFault | undefined>>();
  #thread: Worker | undefined;
  #number = 0;
  #isClosed = false;

  constructor(program = THREAD) {
    this.#program = program;
  }

  /** As {@link JudgeStrength}. Rejects with {@link NotJudged}. */
  readonly faultOf: JudgeStrength = (password, name) => {
    if (this.#isClosed)
      return Promise.reject(new NotJudged('the service stops, so no new password is judged'));
    const judgement = Promise.withResolvers<PasswordFault | undefined>();
    this.#thread ??= this.#start();
    this.#number += 1;
    this.#waiting.set(this.#number, judgement);
    this.#thread.ref();
    const request: JudgementRequest = { number: this.#number, password, name };
    this.#thread.postMessage(request);
    return judgement.promise;
  };

  /** Ends the thread, and refuses what it was to judge. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread?.terminate();
  }

  #start(): Worker {
    // Options of the process, such as a program on its command line, are not for the thread.
    const thread = new Worker(this.#program, { name: 'password judge', execArgv: [] });
    thread.on('message', (judgement: Judgement) => this.#answer(thread, judgement));
    thread.on('error', (cause) => this.#ended(thread, cause));
    thread.on('exit', (code) => this.#ended(thread, new Error(`it exited with ${code}`)));
    return thread;
  }

  #answer(thread: Worker, judgement: Judgement): void {
    const waiting = this.#waiting.get(judgement.number);
    this.#waiting.delete(judgement.number);
    if (this.#waiting.size === 0) thread.unref();
    if ('failed' in judgement) waiting?.reject(new NotJudged(`judging failed: ${judgement.failed}`));
    else waiting?.resolve(judgement.fault);
  }

  #ended(thread: Worker, cause: unknown): void {
    if (this.#thread !== thread) return;
    this.#thread = undefined;
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    const why = 'the thread that judges new passwords ended: the password was not judged, so it is not set';
    for (const judgement of all) judgement.reject(new NotJudged(why, { cause }));
  }
}
