import type { Request } from '../load/requests.ts';
import type { Server } from '../servers/servers.ts';

/** The number of users of each service. Each logs in once before the measurement. */
export const USERS = 32;

/** The password of all users. */
export const PASSWORD = 'correct-horse-battery';

/** The name of the user with this number, from 0 on. */
export const nameOf = (number: number) => `user-${number}`;

/** Requests of the users: one validation and one login each. */
export interface Requests {
  readonly validations: readonly Request[];
  /** Undefined for a service without passwords. */
  readonly logins?: readonly Request[];
}

/** A service whose users log in, and that tells who the bearer of a ticket is. */
export interface Peer {
  readonly name: string;
  /** Starts the service, with a folder for its files. */
  start(folder: string): Promise<Server>;
  /** Logs the users in over HTTP. Throws when a login fails. */
  logIn(server: Server): Promise<Requests>;
  /** Whether the body of a 200 says that the ticket is live: some services answer 200 for dead ones as well. */
  isLive(body: string): boolean;
  /** The aims for Tessera's rates, as multiples of the rates of this service. */
  readonly aims: { readonly validations?: number; readonly logins?: number };
  /** Facts that a reader needs to judge the figures. */
  readonly notes: readonly string[];
}

/** Sends one request and returns its answer. Throws unless the status is a 2xx. */
export async function send(
  server: Pick<Server, 'url'>,
  { method, path, body, headers }: Request,
): Promise<Response> {
  const answer = await fetch(server.url + path, {
    method,
    ...(body && { body }),
    ...(headers && { headers }),
  });
  if (!answer.ok) throw new Error(`${method} ${path} is answered ${answer.status}: ${await answer.text()}`);
  return answer;
}

/** Runs `work` for every user, one after another. */
export async function forUsers<T>(work: (name: string) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  for (let number = 0; number < USERS; number += 1) done.push(await work(nameOf(number)));
  return done;
}
