import { setTimeout as pause } from 'node:timers/promises';
import type { WriteUnit } from '../store.ts';
import { attemptsIn } from './attempts.ts';
import { clientsIn } from './clients.ts';
import { isConflict, stateOf } from './errors.ts';
import { eventsIn } from './events.ts';
import { nodesIn } from './nodes.ts';
import { ticketsIn } from './tickets.ts';
import { Transaction } from './transaction.ts';
import { usersIn } from './users.ts';
import type { Writers } from './writers.ts';

/** How often a unit is tried that loses against others. */
const TRIES = 8;
const LONGEST_PAUSE = 20;
const READ_ONLY = '25006';

/** Does a write unit; again when it lost against another one, since nothing of it was kept then. */
export async function write<T>(writers: Writers, work: (unit: WriteUnit) => Promise<T>): Promise<T> {
  for (let left = TRIES - 1; ; left--) {
    try {
      return await writeOnce(writers, work);
    } catch (error) {
      if (!isConflict(error) || left === 0) throw error;
    }
    await pause(Math.random() * LONGEST_PAUSE);
  }
}

async function writeOnce<T>(writers: Writers, work: (unit: WriteUnit) => Promise<T>): Promise<T> {
  const connection = await writers.take();
  const transaction = new Transaction(connection);
  try {
    const value = await work(unitOn(transaction));
    await transaction.commit();
    return value;
  } catch (error) {
    await transaction.rollBack();
    // Perhaps another server is the writable one by now.
    if (stateOf(error) === READ_ONLY) connection.destroy('the server is read-only');
    throw error;
  } finally {
    writers.give(connection);
  }
}

function unitOn(transaction: Transaction): WriteUnit {
  return {
    users: usersIn(transaction),
    tickets: ticketsIn(transaction),
    attempts: attemptsIn(transaction),
    events: eventsIn(transaction),
    nodes: nodesIn(transaction),
    clients: clientsIn(transaction),
    aside: (work) => transaction.aside(work),
  };
}
