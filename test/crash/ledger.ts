import { PASSWORD } from '../service/start.ts';
import { type Answered, ask } from '../service/talk.ts';

/** What was acknowledged to the clients. A ticket whose logout was never answered is in neither. */
export interface Ledger {
  readonly live: Set<string>;
  readonly dead: Set<string>;
}

export const emptyLedger = (): Ledger => ({ live: new Set(), dead: new Set() });

/** A load of logins and logouts, until the service is killed. */
export interface Load {
  readonly url: string;
  readonly ledger: Ledger;
  /** Whether the service was killed, so that requests may go unanswered. */
  readonly killed: () => boolean;
  /** What a registered client presents: with one, every second ticket that is ended is revoked by it. */
  readonly client?: { readonly authorization: string };
  /** Told of each answer at once. */
  readonly answered: () => void;
}

/** The answer, or nothing when the service was killed over it. Any refusal is a failure. */
async function tried(
  { killed, answered }: Load,
  url: string,
  init: RequestInit,
): Promise<Answered | undefined> {
  let answer: Answered;
  try {
    answer = await ask(url, init);
  } catch (error) {
    if (killed()) return undefined;
    throw error;
  }
  if (answer.status !== 200) throw new Error(`${init.method}: ${answer.status} ${answer.text}`);
  answered();
  return answer;
}

/** The request that ends the `n`th ticket: a logout by its user, or a revocation by a client. */
function endOf(ticket: string, n: number, { url, client }: Load): readonly [string, RequestInit] {
  if (client === undefined || n % 4 === 1)
    return [`${url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`, { method: 'DELETE' }];
  const body = new URLSearchParams({ token: ticket });
  return [`${url}/oauth2/revoke`, { method: 'POST', headers: client, body }];
}

/** One client: logs in again and again, and out of every second ticket. */
export async function logInAndOut(load: Load): Promise<void> {
  const { url, ledger } = load;
  const body = JSON.stringify({ username: 'admin', password: PASSWORD });
  for (let n = 0; ; n++) {
    const login = await tried(load, `${url}/api/login`, { method: 'POST', body });
    if (login === undefined) return;
    const { ticket } = JSON.parse(login.text).data;
    ledger.live.add(ticket);
    if (n % 2 === 0) continue;
    ledger.live.delete(ticket);
    if ((await tried(load, ...endOf(ticket, n, load))) === undefined) return;
    ledger.dead.add(ticket);
  }
}

/** Which tickets the service gives another answer for than was acknowledged. */
export async function broken(url: string, { live, dead }: Ledger): Promise<string[]> {
  const promised = (tickets: Set<string>, status: number) =>
    [...tickets].map((ticket) => ({ ticket, status }));
  const checks = [...promised(live, 200), ...promised(dead, 401)];
  const found: string[] = [];
  const check = async () => {
    for (let next = checks.pop(); next !== undefined; next = checks.pop()) {
      const { ticket, status } = next;
      const answer = await ask(`${url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`);
      if (answer.status !== status) found.push(`${ticket}: ${answer.status} where ${status} was promised`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, check));
  return found;
}
