import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { connect as connectOverTls } from 'node:tls';
import type { Heard } from './scenario.ts';

/**
 * How long the other end may be silent, in milliseconds, before a test gives up: less than the ten seconds that a request
 * may take where nobody says, or a connection that is ended by those would pass for one that was ended in time.
 */
const PATIENCE = 9_000;

/** A bare connection, to say what no client library would. */
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
   * Connects to where `url` points, over TLS if it says so, from an address of this machine; one that is `stubborn`
   * stays when the other end hangs up, and one that is deaf reads the first piece of what comes and nothing more.
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

  /** Writes bytes and says that nothing more will come. */
  sayLast(bytes: string): void {
    this.#socket.end(bytes);
  }

  /** All that was heard, once it matches. */
  until(shape: RegExp): Promise<string> {
    return this.untilIt((heard) => shape.test(heard));
  }

  /** All that was heard, once it is such. */
  untilIt(isSuch: (heard: string) => boolean): Promise<string> {
    return this.#wait(() => isSuch(this.#heard));
  }

  /** All that was heard, once the other end has closed. */
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

/** Says `bytes` on a connection of its own and gives the answers, once the other end has closed. */
export async function converse(url: string, bytes: string | Buffer): Promise<Heard[]> {
  const connection = await Connection.open(url);
  connection.say(bytes);
  try {
    return answersIn(await connection.untilClosed());
  } finally {
    connection.close();
  }
}

/** The answers that were heard on a connection, in order; each but an interim one tells the length of its body. */
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
