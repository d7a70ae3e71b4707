import { join } from 'node:path';
import type { Bench } from '../row.ts';
import { type Draw, ticketOf } from '../tickets.ts';
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
