import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that may be unanswered before no more of it is read: who waits for answers comes nowhere near. */
const MOST = 100;

const UNANSWERED = Symbol('unanswered');
/** How many bytes had come with the piece that was read last, and how many requests of it so far. */
const PIECE = Symbol('piece');
const IN_PIECE = Symbol('in piece');
type Counted = Socket & { [UNANSWERED]?: number; [PIECE]?: number; [IN_PIECE]?: number };

const countOf = (socket: Counted) => socket[UNANSWERED] ?? 0;

/**
 * Leaves a connection unread while {@link MOST} of its requests are unanswered, as {@link noteRequest} and
 * {@link noteAnswer} count them: who sends on without waiting would fill the memory with them. Those of them that came in
 * one piece are taken all the same, up to as many again.
 */
export function boundUnanswered(server: Server): void {
  server.on('connection', (socket: Socket) => {
    // Whoever takes a request, or reads its body, has its connection read on.
    socket.on('resume', () => {
      if (countOf(socket) >= MOST) socket.pause();
    });
  });
}

/**
 * Notes that a request has come on this connection, and tells whether it is to be taken. Of a piece that holds more than
 * {@link MOST} the further ones are not, and the connection is cut: what is read can be left no more, and two thousand that
 * fit into one piece, with answers that nobody reads, take a hundred times the memory of their bytes.
 */
export function noteRequest(socket: Counted): boolean {
  const { bytesRead } = socket;
  const inPiece = socket[PIECE] === bytesRead ? (socket[IN_PIECE] as number) + 1 : 1;
  socket[PIECE] = bytesRead;
  socket[IN_PIECE] = inPiece;
  if (inPiece > MOST) {
    socket.destroy();
    return false;
  }
  socket[UNANSWERED] = countOf(socket) + 1;
  if (countOf(socket) >= MOST) socket.pause();
  return true;
}

/** Notes that a request of this connection is answered. */
export function noteAnswer(socket: Counted): void {
  socket[UNANSWERED] = countOf(socket) - 1;
  if (countOf(socket) === MOST - 1) socket.resume();
}
