import type { Socket } from 'node:net';

/** Requests of one connection that may be unanswered before no more of it is read: who waits for answers comes nowhere near. */
const MOST = 100;

const UNANSWERED = Symbol('unanswered');
/** How many bytes had come when that was last looked at, and how many requests have come since. */
const LOOKED_AT = Symbol('looked at');
const SINCE = Symbol('since');
type CountedSocket = Socket & { [UNANSWERED]?: number; [LOOKED_AT]?: number; [SINCE]?: number };

const countOf = (socket: CountedSocket) => socket[UNANSWERED] ?? 0;

/**
 * Leaves a connection unread while {@link MOST} of its requests are unanswered, as {@link noteRequest} and
 * {@link noteAnswer} count them: who sends on without waiting would fill the memory with them. Those of them that came in
 * one piece are taken all the same, up to as many again.
 */
export function boundUnanswered(socket: Socket): void {
  // Whoever takes a request, or reads its body, has its connection read on. Node does so by a listener of its own, before this.
  socket.on('resume', () => {
    if (countOf(socket) >= MOST) socket.pause();
  });
}

/**
 * Notes that a request has come on this connection, and tells whether it is to be taken. Of a piece that holds more than
 * {@link MOST} (or up to as many again, where it began between two looks) the further ones are not, and the connection is
 * cut: what is read can be left no more, and two thousand that fit into one piece, with answers that nobody reads, take a
 * hundred times the memory of their bytes.
 */
export function noteRequest(socket: CountedSocket): boolean {
  if (isFlood(socket)) {
    socket.destroy();
    return false;
  }
  socket[UNANSWERED] = countOf(socket) + 1;
  if (countOf(socket) >= MOST) socket.pause();
  return true;
}

// What has come is asked of the system's handle, so only every hundred requests: then nothing new is a piece of so many.
function isFlood(socket: CountedSocket): boolean {
  const since = socket[SINCE] ?? MOST;
  socket[SINCE] = since + 1;
  if (since < MOST) return false;
  if (socket.bytesRead === socket[LOOKED_AT]) return true;
  socket[LOOKED_AT] = socket.bytesRead;
  socket[SINCE] = 1;
  return false;
}

/** Notes that a request of this connection is answered. */
export function noteAnswer(socket: CountedSocket): void {
  socket[UNANSWERED] = countOf(socket) - 1;
  if (countOf(socket) === MOST - 1) socket.resume();
}
