import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { CommandRefused } from '../failure.ts';

/** What was counted while a service was asked. */
export interface LoadResult {
  readonly perSecond: number;
  /** Milliseconds that half of the answers, and 99 of 100, took at most. */
  readonly p50: number;
  readonly p99: number;
}

const END_OF_HEADER = '\r\n\r\n';

/** Whether an answer has come whole. Throws when it is another than 200. */
function isWhole(text: string): boolean {
  const end = text.indexOf(END_OF_HEADER);
  if (end < 0) return false;
  if (!text.startsWith('HTTP/1.1 200 '))
    throw new CommandRefused(`The service to measure answered: ${text.slice(0, text.indexOf('\r\n'))}.`);
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1]);
  return text.length >= end + END_OF_HEADER.length + length;
}

/** Asks the same again and again on one connection, until `isOver`; `onAnswer` is told how long each answer took. */
async function askOn(
  socket: Socket,
  request: string,
  isOver: () => boolean,
  onAnswer: (took: number) => void,
): Promise<void> {
  await once(socket, 'connect');
  await new Promise<void>((resolve, reject) => {
    let [text, began] = ['', performance.now()];
    const answered = (chunk: string) => {
      text += chunk;
      if (!isWhole(text)) return;
      onAnswer(performance.now() - began);
      if (isOver()) return resolve();
      [text, began] = ['', performance.now()];
      socket.write(request);
    };
    // What is thrown in a listener would end the process; here it ends the measurement.
    socket.on('data', (chunk: string) => {
      try {
        answered(chunk);
      } catch (error) {
        reject(error);
      }
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new CommandRefused('The service to measure closed a connection.')));
    socket.write(request);
  });
}

/**
 * Asks a service for one path on so many connections, for so many milliseconds. By hand on sockets: what asks runs on
 * this machine too, and Node's own client takes more of it than the service does.
 */
export async function askFor(
  url: URL,
  path: string,
  { connections, length }: { readonly connections: number; readonly length: number },
): Promise<LoadResult> {
  const request = `GET ${path} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`;
  const sockets = Array.from({ length: connections }, () =>
    connect(Number(url.port), url.hostname).setEncoding('latin1'),
  );
  const waits: number[] = [];
  const began = performance.now();
  const isOver = () => performance.now() - began >= length;
  try {
    await Promise.all(sockets.map((socket) => askOn(socket, request, isOver, (took) => waits.push(took))));
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  const took = performance.now() - began;
  const sorted = Float64Array.from(waits).sort();
  const quantile = (part: number) => sorted[Math.ceil(sorted.length * part) - 1] as number;
  return { perSecond: (waits.length * 1_000) / took, p50: quantile(0.5), p99: quantile(0.99) };
}
