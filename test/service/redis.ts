import { execFileSync, spawn } from 'node:child_process';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, type TestContext, test } from 'node:test';
import { ErrorReply, encoded, type RedisReply, ReplyReader } from '../../src/engines/redis/resp.ts';
import { freePort } from './free-port.ts';
import { ServerProcess } from './server-process.ts';
import { until } from './until.ts';

/** Why no Redis can be started here; nothing when one can. With TESSERA_TEST_ALL=1 that is a failure. */
export function whyNoRedis(): string | undefined {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'pipe' });
    return undefined;
  } catch {
    const why =
      'no redis-server on the path (Debian: apt-get install redis-server); TESSERA_TEST_ALL=1 makes that a failure';
    if (process.env.TESSERA_TEST_ALL === '1') throw new Error(why);
    return why;
  }
}

/** The reply of the server at a port, on a connection of its own: a program for each question takes ten times as long. */
async function replyOf(port: number, words: readonly string[], deadline: number): Promise<RedisReply> {
  const socket = connect({ host: '127.0.0.1', port });
  const { promise, resolve, reject } = Promise.withResolvers<RedisReply>();
  const reader = new ReplyReader(
    resolve,
    () => false,
    () => undefined,
  );
  const late = setTimeout(() => reject(new Error(`Redis at port ${port} does not answer`)), deadline);
  socket.on('data', (bytes: Buffer) => reader.take(bytes));
  socket.on('error', reject);
  socket.on('close', () => reject(new Error(`Redis at port ${port} closed the connection`)));
  socket.write(encoded(words), 'latin1');
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    socket.destroy();
  }
}

/** Each value of a reply as a text; nothing as an empty one. Throws an error that the server answered. */
function linesOf(reply: RedisReply): string[] {
  if (Array.isArray(reply)) return reply.flatMap(linesOf);
  if (reply instanceof ErrorReply) throw reply;
  return [String(reply ?? '')];
}

/** How often other ports are tried where another process takes one first. */
const TRIES = 5;

/** A real Redis server of the tests' own, with its data in a temporary folder. It keeps what it answered past a kill. */
export class Redis extends ServerProcess {
  readonly port: number;
  readonly busPort: number;
  readonly #settings: readonly string[];

  private constructor(port: number, busPort: number, settings: readonly string[]) {
    super('redis');
    this.#settings = settings;
    this.port = port;
    this.busPort = busPort;
  }

  /** A new server, running. `settings` are words of its command line, such as `--maxmemory 100mb`. */
  static async start(...settings: string[]): Promise<Redis> {
    for (let times = 1; ; times += 1) {
      const server = new Redis(await freePort(), await freePort(), settings);
      try {
        await server.resume();
        return server;
      } catch (error) {
        await server.remove();
        // A port that was free may be somebody's by now.
        if (times === TRIES || !(error as Error).message.includes('Address already in use')) throw error;
      }
    }
  }

  /** Where it is, as `TESSERA_TICKETS` takes it. */
  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** The answer to a command, as text: a line for each value. Throws when there is none within `deadline` ms. */
  async ask(words: readonly string[], deadline = 30_000): Promise<string> {
    return linesOf(await replyOf(this.port, words, deadline))
      .join('\n')
      .trimEnd();
  }

  /** Starts the server again on what it kept, and waits until it answers. */
  async resume(): Promise<void> {
    const place = ['--bind', '127.0.0.1', '--port', String(this.port), '--dir', this.folder];
    const keeping = ['--save', '', '--appendonly', 'yes', '--maxmemory-policy', 'noeviction'];
    // Without a disk in between a replica that counts as online may be sent nothing for another second.
    const replicating = ['--repl-diskless-sync', 'no', '--cluster-port', String(this.busPort)];
    const words = [...place, ...keeping, ...replicating, ...this.#settings];
    const child = spawn('redis-server', words, { stdio: ['ignore', 'pipe', 'pipe'], cwd: this.folder });
    this.child = child;
    // What is wrong with its settings it tells on one, what is wrong with its port or data on the other.
    const said = Promise.all([text(child.stdout), text(child.stderr)]);
    // Another server may answer on a port that was taken meanwhile; and this one tells of itself before it has its data.
    const answers = async () => {
      const told = await this.ask(['INFO']);
      return [`\nprocess_id:${child.pid}\r`, '\nloading:0\r'].every((line) => told.includes(line));
    };
    await until('a Redis server answers', async () => child.exitCode !== null || (await answers()));
    if (child.exitCode !== null) throw new Error(`redis-server ended: ${(await said).join('').trim()}`);
  }
}

type Body = (t: TestContext, redis: Redis) => Promise<void>;

/** Tests on one server, empty for each and gone after the file. Where none can be started they are skipped, and say why. */
export async function testsOnRedis(...settings: string[]): Promise<(name: string, body: Body) => void> {
  const why = whyNoRedis();
  if (why !== undefined) return (name) => void test(name, (t) => t.skip(why));
  const redis = await Redis.start(...settings);
  after(() => redis.remove());
  return (name, body) =>
    void test(name, async (t) => {
      // A server that was frozen may have commands of the test before that it has not read yet.
      await redis.ask(['CLIENT', 'KILL', 'TYPE', 'normal']);
      await redis.ask(['FLUSHALL']);
      await body(t, redis);
    });
}
