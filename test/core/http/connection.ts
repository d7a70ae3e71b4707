import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { connect as connectOverTls } from 'node:tls';
import type { Heard } from './scenario.ts';

/**
 * Milliseconds that the other end may be silent before a test gives up. Less than the minute that a request may
 * take in a service under test: a connection that is closed at that deadline must not pass for one that was closed in time.
 */
const PATIENCE = 50_000;

/** A bare connection, to send what no client library would. */
export class Connection {
  readonly #socket: Socket;
  #heard = '';
  #closed = false;
  #wake: () => void = () => undefined;

  private constructor(socket: Socket, isDeaf: boolean) {
    this.#socket = socket;
    socket.on('data', (chunk) => {
      if (isDeaf) socket.pause();
      this.#heard += chunk.toString('latin1');
      this.#wake();
    });
    const close = () => {
      this.#closed = true;
      this.#wake();
    };
    socket.on('error', close).on('end', close).on('close', close);
  }

  /**
   * Connects to `url`, over TLS if its scheme says so, from an address of this machine. A `stubborn` connection
   * stays open when the other end closes, and a `deaf` one reads the first piece of what comes and nothing more.
   */
  static open(
    url: string,
    { stubborn = false, isDeaf = false, from }: { stubborn?: boolean; isDeaf?: boolean; from?: string } = {},
  ): Promise<Connection> {
    const { protocol, hostname, port } = new URL(url);
    const to = {
      host: hostname,
      port: Number(port),
      allowHalfOpen: stubborn,
      ...(from !== undefined && { localAddress: from }),
    };
    return new Promise((resolve, reject) => {
      const overTls = protocol === 'https:';
      const socket = overTls ? connectOverTls({ ...to, rejectUnauthorized: false }) : connect(to);
      socket.once('error', reject);
      socket.once(overTls ? 'secureConnect' : 'connect', () => resolve(new Connection(socket, isDeaf)));
    });
  }

  /** Writes bytes as they are. */
  say(bytes: string | Buffer): void {
    this.#socket.write(bytes);
  }

  /** Writes bytes and closes this side. */
  sayLast(bytes: string): void {
    this.#socket.end(bytes);
  }

  /** Resolves once the server, in this process, has read that this side is closed. */
  async untilEndIsRead(): Promise<void> {
    if (!this.#socket.writableFinished) await once(this.#socket, 'finish');
    // The end is with the system now, and each turn of the event loop reads what has arrived.
    for (let turns = 0; turns < 5; turns += 1) await turn();
  }

  /** Everything that was read, once it matches. */
  until(shape: RegExp): Promise<string> {
    return this.untilIt((heard) => shape.test(heard));
  }

  /** Everything that was read, once this is true for it. */
  untilIt(isSuch: (heard: string) => boolean): Promise<string> {
    return this.#wait(() => isSuch(this.#heard));
  }

  /** Everything that was read, once the other end has closed. */
  untilClosed(): Promise<string> {
    return this.#wait(() => this.#closed);
  }

  close(): void {
    this.#socket.destroy();
  }

  #wait(done: () => boolean): Promise<string> {
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(new Error(`not what was waited for: ${JSON.stringify(this.#heard)}`));
      const timer = setTimeout(giveUp, PATIENCE);
      this.#wake = () => {
        if (!done() && !this.#closed) return;
        clearTimeout(timer);
        if (done()) resolve(this.#heard);
        else giveUp();
      };
      this.#wake();
    });
  }
}

/** Sends `bytes` on a new connection and returns the answers, once the other end has closed. */
export async function converse(url: string, bytes: string | Buffer): Promise<Heard[]> {
  const connection = await Connection.open(url);
  connection.say(bytes);
  try {
    return answersIn(await connection.untilClosed());
  } finally {
    connection.close();
  }
}

/** The answers that were read on a connection, in order. Each but an interim one has the length of its body. */
export function answersIn(heard: string): Heard[] {
  const answers: Heard[] = [];
  let rest = heard;
  while (rest !== '') {
    const [head = '', ...bodies] = rest.split('\r\n\r\n');
    const [line = '', ...fields] = head.split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1] ?? assert.fail(`no answer: ${rest}`));
    const headers = Object.fromEntries(
      fields.map((field) => [field.split(':')[0]?.toLowerCase(), field.replace(/^[^:]*: */, '')]),
    );
    const length = Number(
      headers['content-length'] ?? (status < 200 ? 0 : assert.fail(`no length: ${head}`)),
    );
    const body = bodies.join('\r\n\r\n');
    answers.push({ status, headers, text: body.slice(0, length) });
    rest = body.slice(length);
  }
  return answers;
}
