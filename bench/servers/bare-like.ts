import type { Model } from '../bare/answers.ts';
import { type Answered, ask, type Server, startBare } from './servers.ts';

/** Headers that `node:http` writes itself. */
const BY_NODE = ['date', 'connection', 'keep-alive'];

/** Two requests whose answers differ only by their `part`, the end of their URLs. With empty parts the answers are equal. */
interface Samples {
  readonly paths: readonly [string, string];
  readonly parts: readonly [string, string];
  /** Headers of both requests. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Options of a bare server. */
interface Bare {
  /** The number of processes. */
  readonly workers?: number;
  /** The number of tickets in which it looks up the digest of each request's ticket; with 0 it looks nothing up. */
  readonly tickets?: number;
}

/** Tessera's answer as a model for the bare server. */
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

/** The parts of an answer that are the same each time. */
function lasting({ status, headers, body }: Answered): string {
  return JSON.stringify({ ...headers, status, body, date: '', 'x-request-id': '' });
}

/** Starts a bare `node:http` server that answers as Tessera does, byte for byte. Throws when its answers differ. */
export async function bareLike(
  ours: Server,
  { paths, parts, headers }: Samples,
  { workers = 1, tickets = 0 }: Bare = {},
): Promise<Server> {
  const answer = await ask(ours.url + paths[0], headers);
  if (answer.status !== 200) throw new Error(`${paths[0]} is answered ${answer.status}: ${answer.body}`);
  const bare = await startBare(
    'answers.ts',
    JSON.stringify(modelOf(answer, parts[0], tickets)),
    String(workers),
  );
  const [expected, given] = [ours, bare].map(({ url }) => ask(url + paths[1], headers).then(lasting));
  if ((await expected) === (await given)) return bare;
  await bare[Symbol.asyncDispose]();
  throw new Error(`the bare server answers otherwise: ${await given} and not ${await expected}`);
}
