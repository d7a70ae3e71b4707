import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that may be unanswered before no more of it is read: who waits for answers comes nowhere near. */
const MOST = 100;

const UNANSWERED = Symbol('unanswered');
type Counted = Socket & { [UNANSWERED]?: number };

const countOf = (socket: Counted) => socket[UNANSWERED] ?? 0;

/**
 * Leaves a connection unread while {@link MOST} of its requests are unanswered, as {@link noteRequest} and
 * {@link noteAnswer} count them: who sends on without waiting would fill the memory with them. Those of them that came in
 * one piece are taken all the same.
 */
export function boundUnanswered(server: Server): void {
  server.on('connection', (socket: Socket) => {
    // Whoever takes a request, or reads its body, has its connection read on.
    socket.on('resume', () => {
      if (countOf(socket) >= MOST) socket.pause();
    });
  });
}

/** Notes that a request has come on this connection. */
export function noteRequest(socket: Counted): void {
  socket[UNANSWERED] = countOf(socket) + 1;
  if (countOf(socket) >= MOST) socket.pause();
}

/** Notes that a request of this connection is answered. */
export function noteAnswer(socket: Counted): void {
  socket[UNANSWERED] = countOf(socket) - 1;
  if (countOf(socket) === MOST - 1) socket.resume();
}
