import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

/** One message in so many fails at the receiver that fails at times. */
const FAILS_ONE_IN = 10;

/** Receivers of webhooks: one takes all messages, one fails at times in several ways, one never takes any. */
export async function startReceivers() {
  const counts = { good: 0, flaky: 0, dead: 0 };
  const fail = (response: ServerResponse, way: number) => {
    if (way === 0) response.writeHead(500).end();
    else if (way === 1) response.destroy();
    else setTimeout(() => response.writeHead(204).end(), 300);
  };
  const server = createServer((request, response) => {
    const name = (request.url ?? '').slice(1) as keyof typeof counts;
    counts[name] += 1;
    request.resume().once('end', () => {
      if (name === 'dead') response.writeHead(500).end();
      else if (name === 'flaky' && counts.flaky % FAILS_ONE_IN === 0)
        fail(response, (counts.flaky / FAILS_ONE_IN) % 3);
      else response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url, counts, close };
}

/** A mail server that keeps the newest link that each address was sent. */
export async function startMail() {
  const links = new Map<string, string>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, { envelope }, done) {
      simpleParser(stream).then(({ text = '' }) => {
        const link = /https:\/\/portal\.example\.org(\S+\?\S+)/.exec(text)?.[1];
        for (const { address } of envelope.rcptTo) if (link !== undefined) links.set(address, link);
        done();
      }, done);
    },
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, links, close: () => server.close(() => undefined) };
}
