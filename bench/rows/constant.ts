import { freePort } from '../../test/service/free-port.ts';
import { whyNoNginx } from '../../test/service/nginx.ts';
import { load } from '../load/load.ts';
import { validationOf, validations } from '../load/request-files.ts';
import { processorMicroseconds } from '../load/shares.ts';
import { interleave } from '../report/rounds.ts';
import { zipf } from '../seeding/draws.ts';
import { startNginx } from '../servers/nginx.ts';
import { ask, type Server, startTessera } from '../servers/servers.ts';
import type { Bench, Line, Row } from './row.ts';

const CONNECTIONS = 64;
const WORKING_SET = 10_000;
/** Seconds of load before the measurement. */
const WARM_UP = 3;

/** An http block that answers every request with this text. By default nginx closes a connection after 1,000 requests, which Node never does. */
const answering = (port: number, text: string) => `server {
    listen 127.0.0.1:${port};
    keepalive_requests 1000000000;
    default_type text/xml;
    location / { return 200 '${text}'; }
  }`;

async function measure(bench: Bench): Promise<Line[]> {
  await using ours = await startTessera(await bench.dataFolder(), { TESSERA_LOG_LEVEL: 'warn' });
  const { body } = await ask(ours.url + validationOf(0));
  const port = await freePort();
  await using nginx = await startNginx(bench.folder, answering(port, body), [port]);
  const plain = { url: `http://127.0.0.1:${port}`, pid: nginx.pid };
  const side = (server: Pick<Server, 'url' | 'pid'>) => async (round: number, seconds: number) => {
    const requests = validations(bench, zipf(bench.tickets, WORKING_SET), round);
    return processorMicroseconds(await load(server, { requests, connections: CONNECTIONS, seconds }));
  };
  const [validation, answer] = [side(ours), side(plain)];
  for (const each of [validation, answer]) await each(bench.rounds, WARM_UP);
  bench.say('constant');
  const rounds = await interleave(
    bench.rounds,
    (round) => validation(round, bench.seconds),
    (round) => answer(round, bench.seconds),
  );
  const name =
    'processor time of a validation, log at warn, against nginx answering a constant, drawn by Zipf from 10,000';
  return [{ name, unit: 'µs', rounds, notes: ['lower is better'] }];
}

/** Compares the processor time of a validation with that of nginx for the same request, which it answers with a text of the same length. */
export const constant: Row = {
  name: 'constant',
  async measure(bench) {
    const why = whyNoNginx();
    if (why !== undefined) throw new Error(why);
    return measure(bench);
  },
};
