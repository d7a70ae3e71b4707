import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

/** Lets the process do what it puts off until an answer is sent, such as the line of the log. */
const SETTLED = 'new Promise((done) => setImmediate(() => setImmediate(done)))';

/** How long an inspector may take to answer, in milliseconds. */
const DEADLINE = 60_000;

type Params = Readonly<Record<string, unknown>>;
type Listener = (params: never) => void;

/** What the inspector sends: the answer to a command, or an event. */
interface Message {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
  readonly method?: string;
  readonly params?: unknown;
}

/** A function of a script, by the offset where it begins. */
export interface FunctionRun {
  readonly scriptId: string;
  readonly url: string;
  readonly name: string;
  readonly offset: number;
}

interface ScriptCoverage {
  readonly scriptId: string;
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
  }[];
}

/** A client of Node's inspector (Chrome DevTools Protocol) at one process. */
export class Inspector implements Disposable {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #listeners = new Map<string, Listener>();
  #sent = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#take(JSON.parse(String(data))));
  }

  /** Connects to the process whose inspector listens on this port of the loopback address. */
  static async at(port: number): Promise<Inspector> {
    const end = performance.now() + DEADLINE;
    for (;;) {
      try {
        const answer = await fetch(`http://127.0.0.1:${port}/json/list`);
        const [first] = (await answer.json()) as [{ webSocketDebuggerUrl: string }];
        const socket = new WebSocket(first.webSocketDebuggerUrl);
        await once(socket, 'open');
        return new Inspector(socket);
      } catch (error) {
        if (performance.now() > end) throw error;
        await pause(50);
      }
    }
  }

  ask<T>(method: string, params: Params = {}): Promise<T> {
    this.#sent += 1;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(this.#sent, waiting);
    this.#socket.send(JSON.stringify({ id: this.#sent, method, params }));
    return waiting.promise as Promise<T>;
  }

  on(event: string, listener: Listener): void {
    this.#listeners.set(event, listener);
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }

  /** The functions that ran during `work`, of scripts whose URL begins with `below`. */
  async covered(below: string, work: () => Promise<unknown>): Promise<FunctionRun[]> {
    await this.ask('Profiler.enable');
    await this.ask('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await work();
    await this.ask('Runtime.evaluate', { expression: SETTLED, awaitPromise: true });
    const { result } = await this.ask<{ result: readonly ScriptCoverage[] }>('Profiler.takePreciseCoverage');
    await this.ask('Profiler.stopPreciseCoverage');
    return result
      .filter(({ url }) => url.startsWith(below))
      .flatMap(({ scriptId, url, functions }) =>
        functions
          .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
          .map(({ functionName: name, ranges }) => ({
            scriptId,
            url,
            name,
            offset: ranges[0]?.startOffset ?? 0,
          })),
      );
  }

  #take({ id, result, error, method = '', params }: Message): void {
    if (id === undefined) {
      this.#listeners.get(method)?.(params as never);
      return;
    }
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(error.message));
  }
}
