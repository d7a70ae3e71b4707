import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSqlite } from '../../src/storage/sqlite/open.ts';
import { addUser, aTicket } from '../storage/conformance/samples.ts';
import { BIN, environment } from './command.ts';

/** Fills a data folder with so many tickets of one user. */
export async function manyTickets(folder: string, tickets: number): Promise<void> {
  const store = openSqlite(folder);
  const ada = await addUser(store, 'ada');
  await store.write(async (unit) => {
    for (let n = 0; n < tickets; n++) await unit.tickets.issue(aTicket(n, ada));
  });
  await store.close();
}

/** Starts a copy and kills it once `isHalfDone` says so; throws when the copy ends before. */
export async function cutOff(words: readonly string[], isHalfDone: () => Promise<boolean>): Promise<void> {
  const child = spawn(`${BIN}/tessera`, ['copy', ...words], { env: environment(), stdio: 'ignore' });
  const ended = once(child, 'exit');
  while (child.exitCode === null && !(await isHalfDone().catch(() => false)))
    await new Promise((resolve) => setTimeout(resolve, 2));
  child.kill('SIGKILL');
  const [, signal] = await ended;
  if (signal !== 'SIGKILL') throw new Error('the copy ended before it could be cut off');
}
