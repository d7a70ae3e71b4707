import type { Socket } from 'node:net';
import { Writable } from 'node:stream';

/**
 * A stream that writes text to the socket in chunks (RFC 9112 section 7.1) and closes it at the end. By the last chunk, which
 * is empty, a client sees that the text came to its end.
 */
export function chunked(socket: Socket): Writable {
  const text = new Writable({
    decodeStrings: true,
    write(bytes: Buffer, _encoding, done) {
      if (bytes.length === 0) return done();
      socket.cork();
      socket.write(`${bytes.length.toString(16)}\r\n`, 'latin1');
      socket.write(bytes);
      const hasRoom = socket.write('\r\n', 'latin1');
      socket.uncork();
      if (hasRoom) done();
      else socket.once('drain', done);
    },
    final(done) {
      socket.end('0\r\n\r\n', 'latin1', done);
    },
    destroy(fault, done) {
      socket.destroy();
      done(fault);
    },
  });
  socket.once('close', () => text.destroy()).on('error', () => text.destroy());
  return text;
}
