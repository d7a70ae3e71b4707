import type { TestContext } from 'node:test';
import type { RecordedEvent } from '../../../../src/core/domain/event.ts';
import { startTestService, type TestService } from '../../../service/start.ts';
import { openSqlite } from '../../../service/stores.ts';
import { basic } from '../../../service/talk.ts';
import { exchange, type Heard } from '../scenario.ts';

/** A service with a registered client that asks it about tickets and ends them. */
export interface Gateway {
  readonly service: TestService;
  readonly secret: string;
  /** Sends a form: parameters, or a body as it is given. */
  ask(path: 'introspect' | 'revoke', form: Record<string, string> | string, headers?: object): Promise<Heard>;
  introspect(token: string): Promise<string>;
  revoke(token: string): Promise<Heard>;
}

export async function startGateway(t: TestContext, env: Record<string, string> = {}): Promise<Gateway> {
  const service = await startTestService(t, env);
  const secret = await service.addClient('gateway');
  const ask: Gateway['ask'] = (path, form, headers = {}) => {
    const body = typeof form === 'string' ? form : new URLSearchParams(form).toString();
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const sent = { ...type, ...basic(`gateway:${secret}`), ...headers };
    return exchange(service.url, `POST /oauth2/${path}`, { headers: sent, body });
  };
  return {
    service,
    secret,
    ask,
    introspect: async (token) => (await ask('introspect', { token })).text,
    revoke: (token) => ask('revoke', { token }),
  };
}

/** Stops the service and returns all its events but those of a first start. */
export async function eventsAtEnd({ service }: Gateway): Promise<RecordedEvent[]> {
  await service.stop();
  const store = openSqlite(service.data);
  try {
    const events = await store.read((unit) => unit.events.list({}));
    return events.filter(({ kind }) => kind !== 'user-added');
  } finally {
    await store.close();
  }
}
