import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** A proxy between a store and its server, which can be disturbed. */
export interface Line {
  /** The URL through the proxy. */
  readonly url: string;
  /** Drops everything on the existing connections without closing them, like a firewall that forgot them. */
  forget(): void;
  /** Drops everything in both directions without closing anything. */
  freeze(): void;
  /** Lets everything pass again. */
  thaw(): void;
  /** Closes every connection. */
  cut(): void;
  /** Closes every connection towards the store once it sends this text, which still reaches the server. */
  cutAfter(text: string): void;
  /** Replaces `text` from the server by `instead`. Both have the same length. */
  translate(text: string, instead: string): void;
  /** How often the store has sent something after an answer of the server: its round trips, one behind the other. */
  roundTrips(): number;
}

/** A proxy to the server of `url`, which names an address and a port. It is closed after the test. */
export async function lineTo(t: TestContext, url: string): Promise<Line> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let cutting: string | undefined;
  let frozen = false;
  let heard = (bytes: Buffer) => bytes;
  let trips = 0;
  let isAnswered = true;
  const forget = () => {
    for (const socket of sockets) socket.pause();
  };
  const cutAll = (near: Socket) => {
    cutting = undefined;
    near.destroy();
  };
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    near.on('data', (bytes) => {
      if (isAnswered) trips += 1;
      isAnswered = false;
      far.write(bytes);
      if (cutting !== undefined && bytes.includes(cutting)) cutAll(near);
    });
    far.on('data', (bytes: Buffer) => {
      isAnswered = true;
      if (near.writable) near.write(heard(bytes));
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.setNoDelay();
      one.on('error', () => undefined);
      one.on('close', () => {
        sockets.delete(one);
        // The far end is closed in order, so that what was sent still arrives.
        other.end();
      });
      if (frozen) one.pause();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const here = (server.address() as { port: number }).port;
  return {
    url: url.replace(`:${port}/`, `:${here}/`),
    forget,
    freeze() {
      frozen = true;
      forget();
    },
    thaw() {
      frozen = false;
      for (const socket of sockets) socket.resume();
    },
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    cutAfter(text) {
      cutting = text;
    },
    translate(text, instead) {
      heard = (bytes) => Buffer.from(bytes.toString('latin1').replaceAll(text, instead), 'latin1');
    },
    roundTrips: () => trips,
  };
}
