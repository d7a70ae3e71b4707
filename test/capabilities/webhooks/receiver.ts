import { createHmac, timingSafeEqual } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { afterwards } from '../../service/afterwards.ts';
import { temporaryFolder } from '../../service/start.ts';

/** A secret of a receiver, as the document has it. */
export const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
export const OTHER_SECRET = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;

/** A message that a receiver got. */
export interface ReceivedMessage {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What the message is about. */
export const readingOf = ({ body }: ReceivedMessage) =>
  JSON.parse(body) as { type: string; timestamp: string; data: Record<string, unknown> };

/** Whether one of the signatures is that of the secret: what Standard Webhooks has a receiver check. */
export function isSigned({ headers, body }: ReceivedMessage, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const wanted = createHmac('sha256', key).update(signed).digest();
  return `${headers['webhook-signature']}`.split(' ').some((each) => {
    const [version, signature = ''] = each.split(',');
    const given = Buffer.from(signature, 'base64');
    return version === 'v1' && given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}

/** How a receiver answers the `n`th request, from 0. */
type Answers = (n: number, ...exchange: Parameters<RequestListener>) => void;

export const TAKES_ALL: Answers = (_n, _request, response) => void response.writeHead(204).end();

/** A receiver of webhooks on a free port. It keeps all that it got. */
export async function startReceiver(t: TestContext, answers: Answers = TAKES_ALL) {
  const received: ReceivedMessage[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      answers(received.length - 1, request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterwards(t, () => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received };
}

/** Writes the document of these receivers into a folder of the test. */
export async function webhooksDocument(t: TestContext, ...webhooks: readonly object[]): Promise<string> {
  const file = join(await temporaryFolder(t), 'webhooks.json');
  writeFileSync(file, JSON.stringify({ webhooks }));
  return file;
}
