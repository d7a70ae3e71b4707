import type { TestContext } from 'node:test';
import type { TestService } from '../../../service/start.ts';
import { ask } from '../../../service/talk.ts';
import { startWithAcme, type WrittenMembers } from '../pages/provider-visit.ts';

/** The audience of tokens for the service. */
export const AUDIENCE = 'https://tickets.example.org/api';
/** Where the v1 API begins, where a ticket is given, and where its user is shown. */
export const V1 = '/alfresco/api/-default-/public';
export const ME = `${V1}/authentication/versions/1/tickets/-me-`;
export const PERSON = `${V1}/alfresco/versions/1/people/-me-`;

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** A service that accepts access tokens of the provider `acme`, where anna is known, and how to ask with one. */
export async function startForTokens(
  t: TestContext,
  members: WrittenMembers = {},
  env: Record<string, string> = {},
) {
  const started = await startWithAcme(t, { audiences: [AUDIENCE], ...members }, env);
  const { service } = started;
  const asking = (token: string, path = ME, init: RequestInit = {}) =>
    ask(service.url + path, { ...init, headers: bearer(token) });
  return { ...started, asking };
}

/** The logins and refused logins so far, as kind, user and reason; of those that are counted, one. */
export async function loginsOf({ store }: TestService) {
  const events = await store.read((unit) => unit.events.list({}));
  return events
    .filter(({ kind }) => kind.startsWith('login'))
    .map(({ kind, user, reason }) => [kind, user, reason]);
}
