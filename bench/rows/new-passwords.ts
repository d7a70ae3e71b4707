import { join } from 'node:path';
import { isSteady } from '../load/load.ts';
import { pacedLoad } from '../load/paced.ts';
import { validations } from '../load/request-files.ts';
import { writeRequests } from '../load/requests.ts';
import { tool } from '../load/tool.ts';
import { interleave } from '../report/rounds.ts';
import { ticketOf, zipf } from '../seeding/draws.ts';
import { nameOf, PASSWORD } from '../seeding/tickets.ts';
import { startTessera } from '../servers/servers.ts';
import { cheapen } from './credentials.ts';
import type { Bench, Row } from './row.ts';

const RATE = 200;
const CONNECTIONS = 16;
const WORKING_SET = 10_000;
/** The cheapest hash: what the old password costs does not hide what judging the new one does. */
const CHEAP = { TESSERA_HASH_MEMORY: '8', TESSERA_HASH_PASSES: '1' };
/** Seconds that the user may go on longer than the measurement. It ends with the measurement. */
const AROUND = 30;

/** The file of a request by the first user, who wants a new password that is judged to its end and refused. */
function refusedChange({ folder }: Bench): string {
  const body = JSON.stringify({ oldpw: PASSWORD, newpw: 'PasswordPassword!PasswordPassword!2024' });
  const headers = { authorization: `Bearer ${ticketOf(0)}`, 'content-type': 'application/json' };
  const path = `/api/person/changepassword/${nameOf(0)}`;
  return writeRequests(join(folder, 'new-passwords'), [{ method: 'POST', path, body, headers }]);
}

/** Compares the times of validations while one user sends new passwords that are refused with the times without. */
export const newPasswords: Row = {
  name: 'new-passwords',
  async measure(bench) {
    const { rounds, seconds, tickets } = bench;
    const data = await bench.dataFolder();
    await cheapen(data);
    await using ours = await startTessera(data, { ...CHEAP, TESSERA_LOG_LEVEL: 'warn' });
    const requests = validations(bench, zipf(tickets, WORKING_SET), 0);
    const change = refusedChange(bench);
    const quiet = async () =>
      (await pacedLoad(ours, { requests, connections: CONNECTIONS, seconds, rate: RATE })).p95;
    const hammered = async () => {
      const plan = { url: ours.url, requests: change, connections: CONNECTIONS, seconds: seconds + AROUND };
      await using child = tool.start(plan);
      await isSteady(child);
      return quiet();
    };
    await quiet();
    bench.say('new passwords');
    const found = await interleave(rounds, hammered, quiet);
    const notes = [
      `${RATE} validations a second on ${CONNECTIONS} connections, lower is better`,
      `ours while one user sends new passwords on ${CONNECTIONS} connections, which are all refused; the baseline without`,
    ];
    const name = 'p95 of validate while one user sends new passwords, drawn by Zipf from 10,000';
    return [{ name, unit: 'ms', rounds: found, notes }];
  },
};
