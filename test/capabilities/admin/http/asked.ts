import { actorOfKey } from '../../../../src/core/domain/administration.ts';
import type { RecordedEvent } from '../../../../src/core/domain/event.ts';
import type { Role } from '../../../../src/core/domain/role.ts';
import type { TestService } from '../../../service/start.ts';
import { ask } from '../../../service/talk.ts';

/** The answer to an administrator. */
export interface AskedOfAdmin {
  readonly status: number;
  readonly headers: Headers;
  /** The JSON in it; undefined if it is empty. */
  // biome-ignore lint/suspicious/noExplicitAny: a test names the members that it expects.
  readonly body: any;
}

/** What an API key of this role is answered at a path below `/api/admin`. */
export async function asked(
  service: TestService,
  path: string,
  init: RequestInit = {},
  role: Role = 'administrator',
): Promise<AskedOfAdmin> {
  const headers = { ...init.headers, authorization: `Bearer ${await service.addApiKey(role)}` };
  const {
    status,
    headers: answered,
    text,
  } = await ask(`${service.url}/api/admin${path}`, { ...init, headers });
  return { status, headers: answered, body: text === '' ? undefined : JSON.parse(text) };
}

/** The events of changes by API keys, oldest first. */
export async function eventsByKeys({ store }: TestService): Promise<readonly RecordedEvent[]> {
  const events = await store.read((unit) => unit.events.list({}));
  return events.filter(({ actor = '' }) => actor.startsWith(actorOfKey('')));
}
