import { compared } from '../load/compared.ts';
import { load } from '../load/load.ts';
import { validations } from '../load/request-files.ts';
import { atLeast } from '../report/aim.ts';
import { type Draw, uniform, zipf } from '../seeding/draws.ts';
import { type Server, startTessera } from '../servers/servers.ts';
import type { Line, Row } from './row.ts';

const CONNECTIONS = 64;
const WORKING_SET = 10_000;
const FEW = 10_000;
const QUIET = { TESSERA_LOG_LEVEL: 'warn' };

/** Compares validations in a store of very many tickets with those in a store of few. */
export const many: Row = {
  name: 'many',
  async measure(bench) {
    await using among = await startTessera(await bench.dataFolder(bench.many), QUIET);
    await using few = await startTessera(await bench.dataFolder(FEW), QUIET);
    const side = (server: Server, draw: Draw) => (round: number, seconds: number) =>
      load(server, { requests: validations(bench, draw, round), connections: CONNECTIONS, seconds });
    const line = (about: Pick<Line, 'name' | 'aim'>, draw: (tickets: number) => Draw) =>
      compared(bench, about, side(among, draw(bench.many)), side(few, draw(FEW)));
    const name = `validate, ${bench.many} live tickets against ${FEW}, drawn`;
    return [
      await line({ name: `${name} by Zipf from 10,000`, aim: atLeast(0.9) }, (tickets) =>
        zipf(tickets, WORKING_SET),
      ),
      await line({ name: `${name} evenly from all` }, uniform),
    ];
  },
};
