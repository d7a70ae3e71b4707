import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { PATIENCE } from '../service/patience.ts';

/** An answer as it came over the wire. Names of headers are in lower case. */
export interface Said {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

/** The answer at the beginning of what was heard, and what comes behind it; nothing while it is not whole. */
function answerIn(heard: Buffer): { said: Said; rest: Buffer } | undefined {
  const end = heard.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = heard.subarray(0, end).toString('latin1').split('\r\n');
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const length = Number(headers.get('content-length') ?? 0);
  const body = heard.subarray(end + 4);
  if (body.length < length) return undefined;
  const text = body.subarray(0, length).toString();
  return { said: { status: Number(first.split(' ')[1]), headers, text }, rest: body.subarray(length) };
}

/** One connection that is kept, on which a client says what it says, header by header in its order. */
export class Dialogue {
  readonly host: string;
  readonly #socket: Socket;
  #heard = Buffer.alloc(0);

  private constructor(socket: Socket, host: string) {
    this.#socket = socket;
    this.host = host;
    socket.on('data', (chunk: Buffer) => {
      this.#heard = Buffer.concat([this.#heard, chunk]);
    });
  }

  /** Connects to a service, until the test ends. */
  static async with(t: TestContext, url: string): Promise<Dialogue> {
    const { hostname, port, host } = new URL(url);
    const socket = connect(Number(port), hostname);
    t.after(() => socket.destroy());
    await once(socket, 'connect');
    return new Dialogue(socket, host);
  }

  /** Says the lines of a head, and a body behind it, and waits for the whole answer. */
  async say(head: readonly string[], body = ''): Promise<Said> {
    this.#socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
    for (;;) {
      const found = answerIn(this.#heard);
      if (found !== undefined) {
        this.#heard = Buffer.from(found.rest);
        return found.said;
      }
      await once(this.#socket, 'data', { signal: AbortSignal.timeout(PATIENCE) });
    }
  }
}

/** `Basic` over this text. */
export const basicOver = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
