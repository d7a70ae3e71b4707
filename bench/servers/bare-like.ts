import type { Model } from '../bare/answers.ts';
import { type Answered, ask, type Server, startBare } from './servers.ts';

/** Headers that `node:http` writes by itself. */
const BY_NODE = ['date', 'connection', 'keep-alive'];

/** Two requests whose answers differ by their `part` alone, which ends their URLs; an empty part: by nothing. */
export interface Samples {
  readonly paths: readonly [string, string];
  readonly parts: readonly [string, string];
}

/** How a bare server runs. */
interface Bare {
  /** In so many processes. */
  readonly workers?: number;
  /** It digests the ticket of each request and looks it up among so many; with 0 it does neither. */
  readonly tickets?: number;
}

/** An answer of ours, as the bare server is to give it. */
function modelOf({ headers, body }: Answered, part: string, tickets: number): Model {
  const [before = '', after = ''] = part === '' ? [body] : body.split(part);
  const given = Object.entries(headers).filter(([name]) => !BY_NODE.includes(name));
  const keepAlive = Number(/timeout=(\d+)/.exec(String(headers['keep-alive']))?.[1] ?? 5) * 1_000;
  return {
    headers: Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
    before,
    after,
    ticketLength: part.length,
    keepAlive,
    tickets,
  };
}

/** All of an answer that is the same each time. */
function lasting({ status, headers, body }: Answered): string {
  return JSON.stringify({ ...headers, status, body, date: '', 'x-request-id': '' });
}

/** A bare `node:http` server that answers what ours answers, byte for byte. Throws when it does not. */
export async function bareLike(
  ours: Server,
  { paths, parts }: Samples,
  { workers = 1, tickets = 0 }: Bare = {},
): Promise<Server> {
  const answer = await ask(ours.url + paths[0]);
  if (answer.status !== 200) throw new Error(`${paths[0]} is answered ${answer.status}: ${answer.body}`);
  const bare = await startBare(
    'answers.ts',
    JSON.stringify(modelOf(answer, parts[0], tickets)),
    String(workers),
  );
  const [expected, given] = [ours, bare].map(({ url }) => ask(url + paths[1]).then(lasting));
  if ((await expected) === (await given)) return bare;
  await bare[Symbol.asyncDispose]();
  throw new Error(`the bare server answers otherwise: ${await given} and not ${await expected}`);
}
