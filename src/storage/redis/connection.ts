import { isIP } from 'node:net';
import { ErrorReply, RESP_TYPES, RedisClient, SocketClosedUnexpectedlyError } from '@redis/client';
import { UNREACHABLE, whyNoTls } from '../connection-faults.ts';
import { type Host, passwordNow, shownHost } from '../server-url.ts';
import { ConnectionLost, codeOf } from './errors.ts';
import type { RedisTarget } from './target.ts';

/** The words of a command. */
export type Words = readonly (string | Buffer)[];

/** What a server answers. Bulk strings are text, or bytes where bytes were asked for. */
export type RedisReply = string | number | Buffer | null | RedisReply[];

/** How a command is sent. */
interface CommandOptions {
  /** What bulk strings in the answer become: text, unless bytes are asked for. */
  readonly as?: 'bytes' | undefined;
  /** Whether to send `ASKING` first: a server that is importing the slot answers only then. */
  readonly asking?: boolean;
}

/** How often a connection checks for an overdue answer, in milliseconds. */
const TICK = 100;
/** How many commands may wait for their answers on one connection. */
const MOST_WAITING = 20_000;
const BYTES = { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } } as const;

// Not by `createClient`: it adds a method for every command to each client, which takes longer than the rest of
// connecting. Commands are sent as words here.
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
    // A timer for each command would cost more than the command: see #watch.
    commandOptions: { timeout: 0 },
    commandsQueueMaxLength: MOST_WAITING,
  });

/**
 * One connection to one server, until it is lost. An overdue answer ends the connection, and every command that waits on it
 * fails with {@link ConnectionLost}.
 */
export class RedisConnection {
  readonly #host: Host;
  readonly #deadline: number;
  readonly #client: ReturnType<typeof clientFor>;
  #opened = false;
  #sent = 0;
  #answered = 0;
  /** How many commands had been sent at each tick, for the commands that still wait. */
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
  send(words: Words, { as, asking }: CommandOptions = {}): Promise<RedisReply> {
    if (this.#lost !== undefined) return Promise.reject(this.#lost);
    // A fault of it shows in the answer to the command.
    if (asking) void this.send(['ASKING']).catch(() => undefined);
    const answer = this.#client.sendCommand(words as never, as && (BYTES as never)) as Promise<RedisReply>;
    this.#sent += 1;
    this.#watch ??= setInterval(() => this.#check(), TICK);
    return answer.then(this.#onReply, this.#onFault);
  }

  /** Ends the connection. The commands that wait on it fail. */
  close(): void {
    this.#lose('the connection was closed');
  }

  readonly #onReply = (reply: RedisReply): RedisReply => {
    this.#answered += 1;
    return reply;
  };

  readonly #onFault = (error: unknown): never => {
    this.#answered += 1;
    // A fault that is no reply of the server, such as a full queue, is the connection's.
    throw this.#lost ?? (error instanceof ErrorReply ? error : this.#failed((error as Error).message, error));
  };

  #check(): void {
    if (this.#answered === this.#sent) {
      clearInterval(this.#watch);
      this.#watch = undefined;
      this.#marks = [];
      return;
    }
    const now = performance.now();
    this.#marks = this.#marks.filter(({ sent }) => sent > this.#answered);
    this.#marks.push({ at: now, sent: this.#sent });
    // Reads what arrived while this process was busy before it calls the server silent.
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

const TLS_NAMES = { ca: 'cacert', cert: 'cert', key: 'key' };
const OF_TLS: Readonly<Record<string, string>> = {
  ERR_SSL_WRONG_VERSION_NUMBER: 'it speaks no TLS: write redis://',
};

/** An attempt to connect to a server. */
interface ConnectionAttempt {
  readonly target: RedisTarget;
  /** Whether it is the first to this server: an earlier one shows that TLS is set up right. */
  readonly isFirst: boolean;
}

/** Why a server may have been silent while a connection was made, for the operator. */
export function whySilent({ target, isFirst }: ConnectionAttempt): string {
  // Redis takes the greeting of TLS for half a command, and waits for the rest.
  return isFirst && target.tls !== undefined
    ? 'it does not answer: does it speak TLS? Write redis:// if it does not'
    : 'it does not answer';
}

/** Why a connection could not be made, for the operator. */
export function whyNotConnected(error: Error, { target, isFirst }: ConnectionAttempt): string {
  const { password, tls } = target;
  const refused = codeOf(error);
  if (refused === 'NOAUTH' || refused === 'WRONGPASS')
    return password === undefined
      ? 'it asks for a password, and none was given: name its file in TESSERA_TICKETS_PASSWORD_FILE'
      : 'it refuses the user or the password; check the user in TESSERA_TICKETS and the password in TESSERA_TICKETS_PASSWORD_FILE';
  const code = 'code' in error ? String(error.code) : '';
  const isEnded = code === 'ECONNRESET' || error instanceof SocketClosedUnexpectedlyError;
  if (isEnded && isFirst && tls === undefined)
    return 'it ended the connection: does it speak TLS? Write rediss:// if it does';
  const known = OF_TLS[code] ?? UNREACHABLE[code];
  if (known !== undefined) return known;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' && 'host' in error && isIP(String(error.host)) > 0)
    return `its certificate does not hold its address (${error.message}): have each node of a cluster told by its name, with cluster-announce-hostname`;
  return whyNoTls(error, TLS_NAMES) ?? (error.message || error.name);
}
