import type { TestContext } from 'node:test';
import { exchange, type Heard } from '../../../core/http/scenario.ts';
import { startTestService, type TestService } from '../../../service/start.ts';
import { logIn } from '../../../service/talk.ts';

/** The header in which a trusted proxy passes the original URI. */
export const URI_HEADER = 'x-original-uri';

/** Settings under which this machine is a trusted proxy that passes the original URI. */
export const TRUSTED = { TESSERA_TRUSTED_PROXIES: '127.0.0.1', TESSERA_GATE_URI_HEADER: 'X-Original-URI' };

export const UNKNOWN = `TICKET_${'0'.repeat(40)}`;

/** A service with a gate to ask, and a live ticket of Mia. */
export interface Asked {
  readonly service: TestService;
  readonly ticket: string;
  ask(headers: Record<string, string>, target?: string): Promise<Heard>;
}

export async function startAsked(t: TestContext, env: Record<string, string> = {}): Promise<Asked> {
  const service = await startTestService(t, env);
  await service.addUser('mia');
  return {
    service,
    ticket: await logIn(service.url, 'mia'),
    ask: (headers, target = 'GET /gate') => exchange(service.url, target, { headers }),
  };
}

export const bearer = (ticket: string) => ({ authorization: `Bearer ${ticket}` });
