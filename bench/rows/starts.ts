import { load } from '../load/load.ts';
import { validationOf, validations } from '../load/request-files.ts';
import { processorMicroseconds } from '../load/shares.ts';
import { interleave } from '../report/rounds.ts';
import { ticketOf, zipf } from '../seeding/draws.ts';
import { bareLike } from '../servers/bare-like.ts';
import { type Server, startTessera } from '../servers/servers.ts';
import type { Bench, Row } from './row.ts';

const CONNECTIONS = 64;
const WORKING_SET = 10_000;
const STARTS = 8;
/** Seconds of load before the measurement. V8 compiles beside the load, so on a busy machine it takes seconds until all is compiled. */
const WARM_UP = 6;

/** The processor time of a validation in a server that is started, warmed up and stopped again. */
async function ofOneStart(bench: Bench, round: number, starting: () => Promise<Server>): Promise<number> {
  await using server = await starting();
  const requests = validations(bench, zipf(bench.tickets, WORKING_SET), round);
  const loaded = (seconds: number) => load(server, { requests, connections: CONNECTIONS, seconds });
  await loaded(WARM_UP);
  return processorMicroseconds(await loaded(bench.seconds));
}

/** How many times the least the most is. */
const spread = (values: readonly number[]) => Math.max(...values) / Math.min(...values);

/** Compares how much the processor time of a validation differs between starts with how much it does in a bare `node:http` server. */
export const starts: Row = {
  name: 'starts',
  async measure(bench) {
    const settings = { TESSERA_LOG_LEVEL: 'warn' };
    const paths = [validationOf(0), validationOf(1)] as const;
    const samples = { paths, parts: [ticketOf(0), ticketOf(1)] } as const;
    await using model = await startTessera(await bench.dataFolder(), settings);
    const data = await bench.dataFolder();
    bench.say('starts');
    const rounds = await interleave(
      STARTS,
      (round) => ofOneStart(bench, round, () => startTessera(data, settings)),
      (round) => ofOneStart(bench, round, () => bareLike(model, samples)),
    );
    const spreads = {
      ours: spread(rounds.map(({ ours }) => ours)),
      baseline: spread(rounds.map(({ baseline }) => baseline)),
    };
    const name = `processor time of a validation, log at warn, in ${STARTS} starts`;
    const notes = ['lower is better'];
    return [
      { name, unit: 'µs', rounds, notes },
      { name: `${name}: the most against the least`, unit: '×', rounds: [spreads], notes },
    ];
  },
};
