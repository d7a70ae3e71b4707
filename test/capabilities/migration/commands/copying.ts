import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { addUser, aTicket } from '../../../core/storage/conformance/samples.ts';
import { BIN, environment } from '../../../faces/cli/command.ts';
import { openSqlite } from '../../../service/stores.ts';

/** Fills a data folder with this number of tickets of one user. */
export async function manyTickets(folder: string, tickets: number): Promise<void> {
  const store = openSqlite(folder);
  const ada = await addUser(store, 'ada');
  await store.write(async (unit) => {
    for (let n = 0; n < tickets; n++) await unit.tickets.issue(aTicket(n, ada));
  });
  await store.close();
}

const CUT_OFF = new URL('cut-off-copy.ts', import.meta.url);

/** Starts a copy that is killed while it copies tickets. Throws if it ends in another way. */
export async function cutOff(words: readonly string[]): Promise<void> {
  const env = environment({ NODE_OPTIONS: `--import=${CUT_OFF}` });
  const child = spawn(`${BIN}/tessera`, ['copy', ...words], { env, stdio: 'ignore' });
  const [, signal] = await once(child, 'exit');
  if (signal !== 'SIGKILL') throw new Error('the copy ended before it could be cut off');
}
