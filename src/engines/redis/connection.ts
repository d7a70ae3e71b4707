import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { UNREACHABLE, whyNoTls } from '../connection-faults.ts';
import { type Host, passwordNow, shownHost } from '../server-url.ts';
import { ConnectionLost, codeOf } from './errors.ts';
import { ErrorReply, encoded, type RedisReply, ReplyReader, type Words } from './resp.ts';
import type { RedisTarget } from './target.ts';

/** How a command is sent. */
interface CommandOptions {
  /** What bulk strings in the answer become: text, unless bytes are asked for. */
  readonly as?: 'bytes' | undefined;
  /** Whether to send `ASKING` first: a server that is importing the slot answers only then. */
  readonly asking?: boolean;
}

/** A command that waits for its reply. */
interface PendingReply {
  readonly isBytes: boolean;
  readonly done: (reply: RedisReply) => void;
  /** Called with the server's error reply, or {@link ConnectionLost}. */
  readonly fail: (error: Error) => void;
}

/** How often a connection checks for an overdue answer, in milliseconds. */
const TICK = 100;
/** How many commands may wait for their answers on one connection. */
const MOST_WAITING = 20_000;
/**
 * How many writes may wait for their answers. Commands that come meanwhile share the next write: under load a write costs
 * more than the commands in it.
 */
const MOST_WRITES = 2;
/** After how long without traffic the system checks a connection, in milliseconds. */
const KEEP_ALIVE = 5_000;
const ASKING = encoded(['ASKING']);
/** The code of the error for a connection that the server closed without a word. */
const ENDED = 'ENDED';

const ignore = () => undefined;

const lossOf = (host: Host, why: string, cause?: unknown) =>
  new ConnectionLost(`the connection to Redis at ${shownHost(host)} failed: ${why}`, { cause });

function socketTo({ name, port }: Host, { tls }: RedisTarget): Socket {
  const to = { host: name, port };
  const socket = tls === undefined ? connect(to) : connectTls({ ...tls, ...to });
  return socket.setNoDelay().setKeepAlive(true, KEEP_ALIVE);
}

/** What is sent first on a new connection. */
function greetingsOf({ username, password }: RedisTarget): Words[] {
  const named: Words = ['CLIENT', 'SETNAME', 'tessera'];
  if (username === undefined && password === undefined) return [named];
  const secret = password === undefined ? '' : passwordNow(password);
  return [['AUTH', ...(username === undefined ? [] : [username]), secret], named];
}

/**
 * One connection to one server, until it is lost. An overdue answer ends the connection, and every command that waits on it
 * fails with {@link ConnectionLost}. The commands of one turn of the event loop share a write.
 */
export class RedisConnection {
  readonly #host: Host;
  readonly #deadline: number;
  readonly #socket: Socket;
  readonly #reader = new ReplyReader(
    (reply) => this.#answer(reply),
    () => this.#pending[this.#first]?.isBytes === true,
    (items) => this.onPush(items),
  );
  /** Commands of this turn that are not yet written. */
  #unwritten = '';
  /** The commands without a reply, from the index `#first` on, in the order in which they were sent. */
  #pending: PendingReply[] = [];
  #first = 0;
  #isDue = false;
  /** How many commands had been sent with each write that waits for answers. */
  readonly #writes: number[] = [];
  #sent = 0;
  #answered = 0;
  /** How many commands had been sent at each tick, for the commands that still wait. */
  #marks: { readonly at: number; readonly sent: number }[] = [];
  #watch: NodeJS.Timeout | undefined;
  #lost: ConnectionLost | undefined;

  /** Called with what the server sends without a command, in its order among the replies. */
  onPush: (items: readonly RedisReply[]) => void = ignore;

  private constructor(host: Host, target: RedisTarget, deadline: number) {
    this.#host = host;
    this.#deadline = deadline;
    this.#socket = socketTo(host, target);
  }

  /** A new connection, ready for commands. Answers on it may take up to `deadline` milliseconds. */
  static async open(host: Host, attempt: ConnectionAttempt, deadline: number): Promise<RedisConnection> {
    const { target } = attempt;
    let connection: RedisConnection;
    try {
      connection = new RedisConnection(host, target, deadline);
    } catch (error) {
      throw lossOf(host, whyNotConnected(error as Error, attempt), error);
    }
    const late = setTimeout(() => connection.#lose(whySilent(attempt)), target.commandDeadline);
    await connection.#connect(attempt).finally(() => clearTimeout(late));
    return connection;
  }

  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  /** Sends a command behind those before it. Rejects with the server's error reply, or {@link ConnectionLost}. */
  send(words: Words, { as, asking }: CommandOptions = {}): Promise<RedisReply> {
    return new Promise((done, fail) => {
      // A fault of it shows in the answer to the command.
      if (asking) this.sendEncoded(ASKING, { isBytes: false, done: ignore, fail: ignore });
      this.sendEncoded(encoded(words), { isBytes: as === 'bytes', done, fail });
    });
  }

  /** As {@link send}, for a command that is encoded already. Never throws. */
  sendEncoded(command: string, pending: PendingReply): void {
    const isFull = this.#sent - this.#answered >= MOST_WAITING;
    const fault = isFull ? lossOf(this.#host, 'too many commands wait for their answers') : this.#lost;
    if (fault !== undefined) {
      pending.fail(fault);
      return;
    }
    this.#unwritten += command;
    this.#pending.push(pending);
    this.#sent += 1;
    this.#schedule();
    this.#watch ??= setInterval(() => this.#check(), TICK);
  }

  /** Ends the connection. The commands that wait on it fail. */
  close(): void {
    this.#lose('the connection was closed');
  }

  /** Connects, and identifies itself to the server. Rejects with {@link ConnectionLost}. */
  async #connect(attempt: ConnectionAttempt): Promise<void> {
    const { target } = attempt;
    const socket = this.#socket;
    let isOpen = false;
    const lose = (error: Error) =>
      this.#lose(isOpen ? error.message : whyNotConnected(error, attempt), error);
    socket.on('data', (bytes: Buffer) => this.#take(bytes));
    socket.on('error', lose);
    socket.on('close', () => lose(Object.assign(new Error('the server ended it'), { code: ENDED })));
    // The password is for a server whose certificate was checked.
    const ready = target.tls === undefined ? 'connect' : 'secureConnect';
    await new Promise<unknown>((done) => socket.once(ready, done).once('close', done));
    try {
      await Promise.all(greetingsOf(target).map((words) => this.send(words)));
      isOpen = true;
    } catch (error) {
      this.#lose(whyNotConnected(error as Error, attempt), error);
    }
    if (this.#lost !== undefined) throw this.#lost;
  }

  /** Writes at the end of this turn of the event loop, unless too many earlier writes wait for their answers. */
  #schedule(): void {
    if (this.#isDue || this.#unwritten === '' || this.#writes.length >= MOST_WRITES) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      const commands = this.#unwritten;
      this.#unwritten = '';
      this.#writes.push(this.#sent);
      if (this.#lost === undefined) this.#socket.write(commands, 'latin1');
    });
  }

  #take(bytes: Buffer): void {
    try {
      this.#reader.take(bytes);
    } catch (error) {
      this.#lose((error as Error).message, error);
    }
  }

  #answer(reply: RedisReply): void {
    const pending = this.#pending[this.#first];
    if (pending === undefined) throw new Error('it answers without a command');
    this.#first += 1;
    this.#answered += 1;
    if (this.#first === this.#pending.length || this.#first === MOST_WAITING) {
      this.#pending = this.#pending.slice(this.#first);
      this.#first = 0;
    }
    if (this.#answered === this.#writes[0]) {
      this.#writes.shift();
      this.#schedule();
    }
    if (reply instanceof ErrorReply) pending.fail(reply);
    else pending.done(reply);
  }

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

  #lose(why: string, cause?: unknown): void {
    if (this.#lost !== undefined) return;
    this.#lost = lossOf(this.#host, why, cause);
    clearInterval(this.#watch);
    this.#socket.destroy();
    for (const { fail } of this.#pending.splice(0).slice(this.#first)) fail(this.#lost);
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
  const isEnded = code === 'ECONNRESET' || code === ENDED;
  if (isEnded && isFirst && tls === undefined)
    return 'it ended the connection: does it speak TLS? Write rediss:// if it does';
  const sentence = OF_TLS[code] ?? UNREACHABLE[code];
  if (sentence !== undefined) return sentence;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' && 'host' in error && isIP(String(error.host)) > 0)
    return `its certificate does not hold its address (${error.message}): have each node of a cluster told by its name, with cluster-announce-hostname`;
  return whyNoTls(error, TLS_NAMES) ?? (error.message || error.name);
}
