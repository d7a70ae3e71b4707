import { join } from 'node:path';
import type { Bench } from '../row.ts';
import { nameOf, PASSWORD, usersFor } from '../seeding.ts';
import { type Request, writeRequests } from './requests.ts';

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
