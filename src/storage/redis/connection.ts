import { ErrorReply, RESP_TYPES, RedisClient } from '@redis/client';
import { type Host, shownHost } from '../host.ts';
import { passwordNow } from '../password.ts';
import { ConnectionLost } from './errors.ts';
import { type ConnectionAttempt, whyNotConnected, whySilent } from './not-connected.ts';
import type { RedisTarget } from './target.ts';

/** The words of a command. */
export type Words = readonly (string | Buffer)[];

/** What a server answers: bulk strings are text, or bytes where those were asked for. */
export type RedisReply = string | number | Buffer | null | RedisReply[];

/** How a command is sent. */
export interface CommandOptions {
  /** What bulk strings in its answer are: text, unless bytes are asked for. */
  readonly as?: 'bytes' | undefined;
  /** Whether the server is taking the slot of the command over, and answers only when it is told that we know. */
  readonly taking?: boolean;
}

/** How often a connection that waits for an answer looks whether one is overdue, in milliseconds. */
const TICK = 100;
/** Commands that may wait for their answers on one connection. */
const MOST_WAITING = 20_000;
const BYTES = { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } } as const;

// Not by `createClient`: for each server anew that gives its client a method for every command there is, which takes
// longer than all else of connecting. Commands are sent as words here.
const clientFor = ({ name, port }: Host, { username, password, tls }: RedisTarget, deadline: number) =>
  new RedisClient({
    RESP: 2,
    name: 'tessera',
    credentialsProvider: {
      type: 'async-credentials-provider',
      credentials: async () => ({
        ...(username !== undefined && { username }),
        ...(password !== undefined && { password: passwordNow(password) }),
      }),
    },
    socket: {
      host: name,
      port,
      connectTimeout: deadline,
      reconnectStrategy: false,
      ...(tls !== undefined && { ...tls, tls: true as const }),
    },
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    // A timer for each command would cost more than the command: see the watch below.
    commandOptions: { timeout: 0 },
    commandsQueueMaxLength: MOST_WAITING,
  });

/**
 * One connection to one server, from when it is made until it is lost. When any answer is overdue the connection is
 * given up, and whatever waits on it fails with {@link ConnectionLost}: an answer that comes later is heard by nobody.
 */
export class RedisConnection {
  readonly #host: Host;
  readonly #deadline: number;
  readonly #client: ReturnType<typeof clientFor>;
  #opened = false;
  #sent = 0;
  #answered = 0;
  /** How many had been sent at each tick, for those that still wait. */
  #marks: { readonly at: number; readonly sent: number }[] = [];
  #watch: NodeJS.Timeout | undefined;
  #lost: ConnectionLost | undefined;

  private constructor(host: Host, attempt: ConnectionAttempt, deadline: number) {
    const { target } = attempt;
    this.#host = host;
    this.#deadline = deadline;
    this.#client = clientFor(host, target, target.commandDeadline);
    this.#client.on('error', (error: Error) => {
      this.#lose(this.#opened ? error.message || error.name : whyNotConnected(error, attempt), error);
    });
  }

  /** A new connection, ready for commands. Answers on it may take up to `deadline` milliseconds. */
  static async open(host: Host, attempt: ConnectionAttempt, deadline: number): Promise<RedisConnection> {
    const connection = new RedisConnection(host, attempt, deadline);
    const late = setTimeout(() => connection.#lose(whySilent(attempt)), attempt.target.commandDeadline);
    try {
      await connection.#client.connect();
      connection.#opened = true;
    } catch (error) {
      connection.#lose(whyNotConnected(error as Error, attempt), error);
    } finally {
      clearTimeout(late);
    }
    if (connection.#lost !== undefined) throw connection.#lost;
    return connection;
  }

  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  /** Sends a command behind those before it. Rejects with the server's error reply, or {@link ConnectionLost}. */
  send(words: Words, { as, taking }: CommandOptions = {}): Promise<RedisReply> {
    if (this.#lost !== undefined) return Promise.reject(this.#lost);
    // What goes wrong with that shows in the answer to the command.
    if (taking) void this.send(['ASKING']).catch(() => undefined);
    const answer = this.#client.sendCommand(words as never, as && (BYTES as never)) as Promise<RedisReply>;
    this.#sent += 1;
    this.#watch ??= setInterval(() => this.#look(), TICK);
    return answer.then(this.#hear, this.#hearFault);
  }

  /** Ends the connection; what waits on it fails. */
  close(): void {
    this.#lose('the connection was closed');
  }

  readonly #hear = (reply: RedisReply): RedisReply => {
    this.#answered += 1;
    return reply;
  };

  readonly #hearFault = (error: unknown): never => {
    this.#answered += 1;
    // Whatever is no answer of the server, such as a queue that is full, is the connection's.
    throw this.#lost ?? (error instanceof ErrorReply ? error : this.#failed((error as Error).message, error));
  };

  #look(): void {
    if (this.#answered === this.#sent) {
      clearInterval(this.#watch);
      this.#watch = undefined;
      this.#marks = [];
      return;
    }
    const now = performance.now();
    this.#marks = this.#marks.filter(({ sent }) => sent > this.#answered);
    this.#marks.push({ at: now, sent: this.#sent });
    // What has arrived while this process was busy is read before anybody is called silent.
    if (this.#isOverdue(now))
      setImmediate(() => this.#isOverdue(now) && this.#lose('it does not answer in time'));
  }

  #isOverdue(now: number): boolean {
    return this.#marks.some(({ at, sent }) => sent > this.#answered && now - at >= this.#deadline - TICK);
  }

  #failed(why: string, cause: unknown): ConnectionLost {
    return new ConnectionLost(`the connection to Redis at ${shownHost(this.#host)} failed: ${why}`, {
      cause,
    });
  }

  #lose(why: string, cause?: unknown): void {
    if (this.#lost !== undefined) return;
    this.#lost = this.#failed(why, cause);
    clearInterval(this.#watch);
    this.#client.destroy();
  }
}
