import { join } from 'node:path';
import type { Bench } from '../rows/row.ts';
import { type Draw, ticketOf } from '../seeding/draws.ts';
import { nameOf, PASSWORD, usersFor } from '../seeding/tickets.ts';
import { type Request, writeRequests } from './requests.ts';

/** Requests in one file: about the number that a fast server answers in one measurement. */
const DRAWS = 200_000;

/** The target of a validation by the ticket's own user. */
export function validationOf(number: number): string {
  const ticket = ticketOf(number);
  return `/api/login/ticket/${ticket}?alf_ticket=${ticket}`;
}

/** Writes a file of validations of this round's tickets, over the file of the previous round. */
export function validations({ folder }: Pick<Bench, 'folder'>, draw: Draw, round: number): string {
  const requests = Array.from({ length: DRAWS }, (_, at): Request => {
    return { method: 'GET', path: validationOf(draw(`round ${round}`, at)) };
  });
  return writeRequests(join(folder, 'validations'), requests);
}

/** Writes a file of logins for each round, over the previous one. Every round, and the warm-up, has users of its own. */
export function loginFiles({ folder, tickets, rounds }: Bench): (round: number) => string {
  const users = usersFor(tickets);
  const share = Math.floor(users / (rounds + 1));
  return (round) => {
    const requests = Array.from({ length: share }, (_, at): Request => {
      const username = nameOf((round * share + at) % users);
      return { method: 'POST', path: '/api/login', body: JSON.stringify({ username, password: PASSWORD }) };
    });
    return writeRequests(join(folder, 'logins'), requests);
  };
}
