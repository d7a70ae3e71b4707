import type { TestContext } from 'node:test';
import type { Store } from '../../../src/core/storage/store.ts';
import { startTestService, type TestService } from '../../service/start.ts';

/** What a request was answered. `body` is undefined if there is none. */
export interface ScimAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into bodies of any shape
  readonly body: any;
  readonly headers: Headers;
}

/** A service with SCIM, and a client with an API key. */
export interface ScimClient {
  readonly service: TestService;
  /** Sends a request such as `GET /Users`, with a JSON body if one is given. Spaces and quotes in it may be written plainly. */
  ask(what: string, body?: unknown, headers?: Record<string, string>): Promise<ScimAnswer>;
}

/** The header of an API key. */
export const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** Sends one request to the SCIM service at this address. */
export async function askScim(
  url: string,
  what: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<ScimAnswer> {
  const [method = '', ...rest] = what.split(' ');
  const path = rest.join(' ').replaceAll(' ', '%20').replaceAll('"', '%22');
  const sent = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  const type = sent === undefined ? {} : { 'content-type': 'application/scim+json' };
  const answer = await fetch(`${url}/scim/v2${path}`, {
    method,
    headers: { ...type, ...headers },
    ...(sent !== undefined && { body: sent }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text), headers: answer.headers };
}

/** Starts a service with SCIM, and makes an API key for it. */
export async function startScim(
  t: TestContext,
  env: Record<string, string> = {},
  makeStore?: () => Store,
): Promise<ScimClient> {
  const service = await startTestService(t, { TESSERA_SCIM: 'true', ...env }, makeStore);
  const key = await service.addApiKey('scim');
  return {
    service,
    ask: (what, body, headers = bearer(key)) => askScim(service.url, what, body, headers),
  };
}

/** The body of a PATCH with these operations. */
export const patchOf = (...Operations: readonly object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
});
