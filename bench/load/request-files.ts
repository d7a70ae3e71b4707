import { join } from 'node:path';
import type { Bench } from '../rows/row.ts';
import { type Draw, ticketOf } from '../seeding/draws.ts';
import { nameOf, PASSWORD, usersFor } from '../seeding/tickets.ts';
import { type Request, writeRequests } from './requests.ts';

/** Draws in one file: about as many as a quick server answers in one measurement. */
const DRAWS = 200_000;

/** Where a ticket is validated by its holder. */
export function validationOf(number: number): string {
  const ticket = ticketOf(number);
  return `/api/login/ticket/${ticket}?alf_ticket=${ticket}`;
}

/** A file of validations, with the tickets that belong to this round; it takes the place of the one before. */
export function validations({ folder }: Pick<Bench, 'folder'>, draw: Draw, round: number): string {
  const requests = Array.from({ length: DRAWS }, (_, at): Request => {
    return { method: 'GET', path: validationOf(draw(`round ${round}`, at)) };
  });
  return writeRequests(join(folder, 'validations'), requests);
}

/** Files of logins, each in the place of the one before: every round has users of its own, the warm-up as well. */
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
