import { bareRate } from '../load/bare-rate.ts';
import { kept, load, type Measured } from '../load/load.ts';
import { loginFiles } from '../load/request-files.ts';
import { byProcessorTime, shareNotes } from '../load/shares.ts';
import { atLeast } from '../report/aim.ts';
import { interleave } from '../report/rounds.ts';
import { PASSWORD, passwordHash } from '../seeding/tickets.ts';
import { startTessera } from '../servers/servers.ts';
import type { Row } from './row.ts';

const CONNECTIONS = 32;
const WARM_UP = 2;
/**
 * The least seconds of a round. Logins that have not ended with the round do not count, but every hash of the baseline
 * counts. In a short round that would matter.
 */
const LEAST_SECONDS = 10;

/** Compares logins by POST, each of another user, with the bare rate of the same hash on the same number of cores. */
export const login: Row = {
  name: 'login',
  async measure(bench) {
    const { rounds } = bench;
    const seconds = Math.max(bench.seconds, LEAST_SECONDS);
    await using ours = await startTessera(await bench.dataFolder());
    const files = loginFiles(bench);
    const hash = await passwordHash();
    const logIn = (round: number, length: number) =>
      load(ours, { requests: files(round), connections: CONNECTIONS, seconds: length });
    await logIn(rounds, WARM_UP);
    const found: { ours: Measured[]; raw: Measured[] } = { ours: [], raw: [] };
    bench.say('login');
    const measured = await interleave(
      rounds,
      async (round) => kept(found.ours, await logIn(round, seconds)),
      async () => kept(found.raw, await bareRate('hashes.ts', [hash, PASSWORD], seconds)),
    );
    const notes = [
      `rounds of ${seconds} s: what is under way when one ends is not counted`,
      'the first login of each user from this address, which has more to write than the next ones',
      ...shareNotes('ours', found.ours),
      ...byProcessorTime(found.ours, found.raw),
    ];
    return [{ name: 'login by POST', unit: 'logins/s', rounds: measured, aim: atLeast(0.94), notes }];
  },
};
