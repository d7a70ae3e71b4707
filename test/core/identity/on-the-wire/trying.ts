import type { TestService } from '../../../service/start.ts';
import { ask, basic } from '../../../service/talk.ts';

/** The ways to present a user name and password. */
export const WAYS = ['get', 'post', 'basic'] as const;
export type Way = (typeof WAYS)[number];

/** The outcome of an attempt. */
export interface Tried {
  readonly status: number;
  /** The body, without its time. */
  readonly body: string;
  /** Whole seconds; `undefined` if there is no such header. */
  readonly retryAfter: number | undefined;
  readonly challenge: string | null;
  /** Whether the password was accepted: a login returns a ticket, and `Basic` a missing ticket. */
  readonly letIn: boolean;
}

const NO_TICKET = `TICKET_${'0'.repeat(40)}`;

function send(
  way: Way,
  base: string,
  name: string,
  password: string | undefined,
  headers: Record<string, string>,
) {
  const pair = new URLSearchParams({ u: name, ...(password !== undefined && { pw: password }) });
  if (way === 'get') return ask(`${base}/api/login?${pair}&format=json`, { headers });
  if (way === 'post') {
    const body = JSON.stringify({ username: name, password });
    return ask(`${base}/api/login`, { method: 'POST', headers, body });
  }
  const authorization = basic(`${name}:${password ?? ''}`);
  return ask(`${base}/api/login/ticket/${NO_TICKET}?format=json`, {
    headers: { ...headers, ...authorization },
  });
}

/** Makes an attempt; `from` is the address that a trusted proxy sends. */
export async function tryBy(
  way: Way,
  base: string,
  name: string,
  password: string | undefined,
  from?: string,
): Promise<Tried> {
  const headers: Record<string, string> = from === undefined ? {} : { 'x-forwarded-for': from };
  const answered = await send(way, base, name, password, headers);
  const retryAfter = answered.headers.get('retry-after');
  return {
    status: answered.status,
    body: answered.text.replace(/"time":"[^"]*"/, ''),
    retryAfter: retryAfter === null ? undefined : Number(retryAfter),
    challenge: answered.headers.get('www-authenticate'),
    letIn: answered.status === (way === 'basic' ? 404 : 200),
  };
}

/** Failures of a name, so far apart that it waits 15 minutes: the wait does not end during a test on a slow machine. */
export async function failUntilWaiting(
  { url, shiftClock }: Pick<TestService, 'url' | 'shiftClock'>,
  name: string,
  from?: string,
  way: Way = 'post',
): Promise<Tried[]> {
  const tried: Tried[] = [];
  for (let time = 0; time < 17; time += 1) {
    shiftClock(15 * 60_000);
    tried.push(await tryBy(way, url, name, 'wrong', from));
  }
  return tried;
}

/** Logs in `times` times by POST with a wrong password. */
export async function fail(times: number, base: string, name: string, from?: string): Promise<void> {
  for (let time = 0; time < times; time += 1) await tryBy('post', base, name, `wrong ${time}`, from);
}

/** The refusal of `Basic`, and that of logins. */
export const REFUSED: Record<Way, Pick<Tried, 'status' | 'challenge'>> = {
  get: { status: 403, challenge: null },
  post: { status: 403, challenge: null },
  basic: { status: 401, challenge: 'Basic realm="Tessera"' },
};

/** The settings of a service that trusts the addresses in the test's header fields. */
export const BEHIND_PROXY = { TESSERA_TRUSTED_PROXIES: '127.0.0.1' };
