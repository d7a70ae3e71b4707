import { constants } from 'node:crypto';
import type { Server } from 'node:http';
import type { ServerOptions } from 'node:https';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import type { CertifiedKey } from './certificate.ts';

/** The header that keeps browsers on https for a year (RFC 6797), as name and value. */
export const HSTS = ['Strict-Transport-Security', 'max-age=31536000'] as const;

/** What requests are served over TLS with. */
export interface TlsParts {
  readonly certificate: CertifiedKey;
  /** Called for each connection that ends before its handshake is complete. */
  readonly onHandshakeFailed: (fault: NodeJS.ErrnoException, socket: Socket) => void;
}

/** The cipher suites: those of TLS 1.3, and of TLS 1.2 those with forward secrecy and authenticated encryption (RFC 9325 section 4.2). */
const CIPHERS = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

const contextOf = ({ cert, key }: CertifiedKey) => ({
  cert,
  key,
  minVersion: 'TLSv1.2' as const,
  ciphers: CIPHERS,
  // In TLS 1.2 a client may otherwise have the server repeat the handshake on one connection.
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
});

/** The options of Node's server: TLS 1.2 and newer, and only HTTP/1.1. */
export function tlsOptions({ certificate }: TlsParts): ServerOptions {
  return { ...contextOf(certificate), ALPNProtocols: ['http/1.1'], allowHalfOpen: true };
}

/** Prepares a server that was created with {@link tlsOptions}. Call it before the server listens. */
export function serveTls(server: Server, { onHandshakeFailed }: TlsParts): void {
  // Node's own listener treats these as faults of requests, which would be answered.
  server.removeAllListeners('tlsClientError');
  server.on('tlsClientError', (fault: Error, socket: Socket) => {
    onHandshakeFailed(fault, socket);
    socket.destroy();
  });
  endHandshakesAtStop(server);
}

/** Serves another certificate to all connections that begin from now on. */
export function renewCertificate(server: Server, certificate: CertifiedKey): void {
  if (!(server instanceof TlsServer)) throw new Error('this server does not speak TLS');
  server.setSecureContext(contextOf(certificate));
}

/**
 * Makes Node read this connection as a stream. Otherwise Node reads the system's handle, which passes on decrypted bytes even
 * while the parser is paused. The parser takes that as a fault, and a client with many requests in flight would be cut off.
 */
function readAsStream(socket: Socket): void {
  // Node stops reading the handle once another listener for `data` is added.
  socket.on('data', () => undefined);
}

/** What happens to a connection first. */
interface SecureFront {
  /** Whether an accepted connection may stay; one that may not is closed before its handshake. */
  readonly admits: (accepted: Socket) => boolean;
  /** Called with each connection once its handshake is complete. */
  readonly onSecure: (socket: Socket) => void;
}

/** Calls `admits` for connections before TLS reads them. Call this last, since it takes over the listeners for connections. */
export function takeSecure(server: Server, { admits, onSecure }: SecureFront): void {
  const listeners = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (accepted: Socket) => {
    if (!admits(accepted)) return void accepted.destroy();
    for (const listener of listeners) listener.call(server, accepted);
  });
  server.on('secureConnection', (socket: Socket) => {
    readAsStream(socket);
    onSecure(socket);
  });
}

/** The same name for a connection before and after its handshake, which makes another object for it. */
const nameOf = ({ remoteAddress, remotePort, localAddress }: Socket) =>
  `${remoteAddress} ${remotePort} ${localAddress}`;

/** Makes a stop also close connections in a handshake, which Node does not count as idle. */
function endHandshakesAtStop(server: Server): void {
  const inHandshake = new Map<string, Socket>();
  server.on('connection', (socket: Socket) => {
    const name = nameOf(socket);
    inHandshake.set(name, socket);
    socket.once('close', () => {
      if (inHandshake.get(name) === socket) inHandshake.delete(name);
    });
  });
  server.on('secureConnection', (socket: Socket) => inHandshake.delete(nameOf(socket)));
  const { closeIdleConnections } = server;
  server.closeIdleConnections = () => {
    for (const socket of inHandshake.values()) socket.destroy();
    closeIdleConnections.call(server);
  };
}
