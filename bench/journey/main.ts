import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '../../test/service/free-port.ts';
import { Postgres } from '../../test/service/postgres.ts';
import { Redis } from '../../test/service/redis.ts';
import { type Server, startTessera } from '../servers/servers.ts';
import { type FunctionRun, Inspector } from './inspector.ts';
import { inOrder } from './order.ts';
import { JOURNEYS, loginWith, OneConnection } from './requests.ts';

const USAGE = `npm run journey -- ${Object.keys(JOURNEYS).join('|')} [--store sqlite|postgres|redis] [--functions] [--max FILES]`;
/** Requests of the same kind before the traced one, so that caches are warm. */
const WARM_UP = 3;
/** Traced requests. What does not run in each of them, such as a timer, is no part of the journey. */
const TRACED = 8;

const SOURCE = new URL('../../src/', import.meta.url).href;
/** The password of the administrator of the traced service. */
const PASSWORD = 'a journey through the house';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    store: { type: 'string', default: 'sqlite' },
    functions: { type: 'boolean', default: false },
    max: { type: 'string', default: 'Infinity' },
  },
});
const journey = JOURNEYS[positionals[0] ?? ''] as (typeof JOURNEYS)[string];
const most = Number(values.max);
const isStore = ['sqlite', 'postgres', 'redis'].includes(values.store);
if (journey === undefined || positionals.length > 1 || !isStore || Number.isNaN(most)) {
  process.stderr.write(`Usage: ${USAGE}\n`);
  process.exit(2);
}

/** Starts the servers of the named store and returns the settings of the service. */
async function settingsFor(folder: string, engines: AsyncDisposableStack): Promise<Record<string, string>> {
  const [key, password] = [join(folder, 'key'), join(folder, 'password')];
  writeFileSync(key, randomBytes(32).toString('hex'), { mode: 0o600 });
  writeFileSync(password, PASSWORD, { mode: 0o600 });
  const settings: Record<string, string> = {
    TESSERA_ADMIN_PASSWORD_FILE: password,
    TESSERA_THROTTLE_KEY_FILE: key,
    TESSERA_LOG_LEVEL: 'info',
  };
  if (values.store === 'sqlite') return settings;
  const database = await Postgres.start();
  engines.defer(() => database.remove());
  settings.TESSERA_DATABASE = await database.freshDatabase();
  if (values.store === 'postgres') return settings;
  const tickets = await Redis.start();
  engines.defer(() => tickets.remove());
  return { ...settings, TESSERA_TICKETS: tickets.url };
}

const placeOf = ({ scriptId, offset }: FunctionRun) => `${scriptId}:${offset}`;

/** The functions of `src/` that one warm request runs through, in the order of their first calls. */
async function followed(inspector: Inspector, server: Server): Promise<FunctionRun[]> {
  using beside = new OneConnection(server.url);
  using client = new OneConnection(server.url);
  const prepared = async () => {
    const answer = await beside.send(loginWith(PASSWORD));
    return journey(/TICKET_[0-9a-f]+/.exec(answer)?.[0] ?? '', PASSWORD);
  };
  for (let times = 0; times < WARM_UP; times += 1) await client.send(await prepared());
  const trace = async () => {
    const request = await prepared();
    return inspector.covered(SOURCE, () => client.send(request));
  };
  let covered = await trace();
  for (let times = 1; times < TRACED; times += 1) {
    const again = new Set((await trace()).map(placeOf));
    covered = covered.filter((run) => again.has(placeOf(run)));
  }
  const last = await prepared();
  return inOrder(inspector, covered, () => client.send(last));
}

const filesOf = (runs: readonly FunctionRun[]) =>
  Map.groupBy(runs, ({ url }) => `src/${url.slice(SOURCE.length)}`);

function printed(runs: readonly FunctionRun[]): string {
  const byFile = filesOf(runs);
  const lines = [...byFile].flatMap(([file, found]) => {
    const names = found.map(({ name }) => `    ${name || '(anonymous)'}`);
    return values.functions ? [file, ...names] : [file];
  });
  const folders = new Set([...byFile.keys()].map((file) => dirname(file)));
  const sum = `${positionals[0]} (${values.store}): ${byFile.size} files, ${runs.length} functions, ${folders.size} folders`;
  return `${lines.join('\n')}\n${sum}\n`;
}

const folder = mkdtempSync(join(tmpdir(), 'tessera-journey-'));
try {
  await using engines = new AsyncDisposableStack();
  const settings = await settingsFor(folder, engines);
  const port = await freePort();
  const NODE_OPTIONS = `--inspect=127.0.0.1:${port}`;
  await using server = await startTessera(join(folder, 'data'), { ...settings, NODE_OPTIONS });
  using inspector = await Inspector.at(port);
  const runs = await followed(inspector, server);
  process.stdout.write(printed(runs));
  if (filesOf(runs).size > most) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
