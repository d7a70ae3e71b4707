import { Client } from '../../src/client/client.ts';
import { assertDescribed } from './described.ts';
import { PASSWORD } from './start.ts';

/** An answer, read whole. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends one request and reads the whole answer, or the first part of a stream. It has to be as the OpenAPI document describes it. */
export async function ask(url: string, init: RequestInit = {}): Promise<Answered> {
  const answered = await fetched(url, init);
  const { status, headers, text } = answered;
  const { origin, pathname, search } = new URL(url);
  const method = new Headers(init.headers).get('x-http-method-override') ?? init.method ?? 'GET';
  const type = headers.get('content-type') ?? undefined;
  assertDescribed(origin, {
    ...{ method, target: pathname + search, status, type, text },
    headers: Object.fromEntries(headers),
  });
  return answered;
}

async function fetched(url: string, init: RequestInit): Promise<Answered> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const { status, headers } = response;
  return { status, headers, text: isStream(headers) ? await firstPartOf(response) : await response.text() };
}

const isStream = (headers: Headers) => headers.get('content-type') === 'text/event-stream';

/** The first bytes of a stream, which would go on for ever. Nothing of a HEAD. */
async function firstPartOf({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  await reader?.cancel();
  return Buffer.from(value ?? []).toString();
}

/** Logs in by POST and gives the ticket; throws `Refused` of the client when it is refused. */
export async function logIn(
  base: string,
  name = 'admin',
  password: string | undefined = PASSWORD,
): Promise<string> {
  const { ticket } = await new Client(base).login({ username: name, password });
  return ticket;
}

/** The `Authorization` of Basic. */
export function basic(credentials: string): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}
