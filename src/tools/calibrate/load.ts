import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { CommandRefused } from '../../faces/cli/failure.ts';

/** The result of a load. */
export interface LoadResult {
  readonly perSecond: number;
  /** The median and the 99th percentile of the answer times in milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

const END_OF_HEADER = '\r\n\r\n';

/** Whether an answer is complete. Throws when its status is not 200. */
function isComplete(text: string): boolean {
  const end = text.indexOf(END_OF_HEADER);
  if (end < 0) return false;
  if (!text.startsWith('HTTP/1.1 200 '))
    throw new CommandRefused(`The service to measure answered: ${text.slice(0, text.indexOf('\r\n'))}.`);
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1]);
  return text.length >= end + END_OF_HEADER.length + length;
}

/** Repeats a request on one connection until `isOver`. Calls `onAnswer` with the time of each answer. */
async function repeatOn(
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
      if (!isComplete(text)) return;
      onAnswer(performance.now() - began);
      if (isOver()) return resolve();
      [text, began] = ['', performance.now()];
      socket.write(request);
    };
    // An error thrown in a listener would end the process. This ends the measurement only.
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
 * Sends GETs of one path on several connections for `length` milliseconds. It uses bare sockets, because Node's HTTP client
 * takes more processor time than the service, on the same machine.
 */
export async function load(
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
    await Promise.all(sockets.map((socket) => repeatOn(socket, request, isOver, (took) => waits.push(took))));
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  const took = performance.now() - began;
  const sorted = Float64Array.from(waits).sort();
  const quantile = (part: number) => sorted[Math.ceil(sorted.length * part) - 1] as number;
  return { perSecond: (waits.length * 1_000) / took, p50: quantile(0.5), p99: quantile(0.99) };
}
