import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setPriority } from 'node:os';
import { text } from 'node:stream/consumers';

/** What a flood sends. */
export interface FloodPlan {
  readonly url: string;
  readonly connections: number;
  /** How many addresses it comes from; each login from a random IPv6 /64 where it is `random`. */
  readonly addresses: number | 'random';
  /** The one account whose right password it knows; without one it guesses, each time at another name. */
  readonly account?: { readonly username: string; readonly password: string };
}

/** What a flood says on a line of its own once it has had so many answers. */
export const UNDER_WAY = 'under way';
const WELL_UNDER_WAY = 100;

/** The `place`th address, in a network (/24) of its own. */
const addressOf = (place: number) => `10.${place >> 8}.${place & 255}.1`;

function randomAddress(): string {
  const groups = randomBytes(8).toString('hex').match(/.{4}/g) as string[];
  return `2${groups.join(':').slice(1)}::1`;
}

const guessed = () => ({ username: `guess-${randomBytes(6).toString('hex')}`, password: 'wrong' });

/** Logs in over each connection as fast as answers come, whatever they say, and counts the answers by status. */
async function flood({ url, connections, addresses, account }: FloodPlan): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const counts: Record<string, number> = {};
  let answers = 0;
  const logIn = async (from: string) => {
    const body = JSON.stringify(account ?? guessed());
    const headers = { 'x-forwarded-for': from, 'content-length': Buffer.byteLength(body) };
    const sent = request(`${url}/api/login`, { method: 'POST', agent, headers });
    sent.end(body);
    const [answer] = await once(sent, 'response');
    await text(answer);
    return String(answer.statusCode);
  };
  const connection = async (place: number) => {
    for (;;) {
      const from = addresses === 'random' ? randomAddress() : addressOf(place % addresses);
      const what = await logIn(from).catch(() => 'failed');
      counts[what] = (counts[what] ?? 0) + 1;
      answers += 1;
      if (answers === WELL_UNDER_WAY) process.stdout.write(`${UNDER_WAY}\n`);
    }
  };
  process.once('SIGTERM', () => {
    process.stdout.write(JSON.stringify(counts), () => process.exit());
  });
  await Promise.all(Array.from({ length: connections }, (_, place) => connection(place)));
}

if (import.meta.main) {
  // An attacker has machines of its own: here it gives way to the service, and to the threads that hash.
  setPriority(19);
  await flood(JSON.parse(process.argv[2] as string));
}
