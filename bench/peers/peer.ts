import type { Request } from '../load/requests.ts';
import type { Server } from '../servers/servers.ts';

/** Users of every service: each signs up, or is there, and logs in once before anything is measured. */
export const USERS = 32;

/** The password of all of them. */
export const PASSWORD = 'correct-horse-battery';

/** The name of the user with this number, from 0 on. */
export const nameOf = (number: number) => `user-${number}`;

/** What users of a service send, each once: with what their login gave, and to log in. */
export interface Requests {
  readonly validations: readonly Request[];
  /** None where the service leaves passwords to others. */
  readonly logins?: readonly Request[];
}

/** A service that answers who the bearer of something is, with users who log in. */
export interface Peer {
  readonly name: string;
  /** Starts it with a folder of its own. */
  start(folder: string): Promise<Server>;
  /** Logs its users in, over HTTP. Throws when that does not work. */
  logIn(server: Server): Promise<Requests>;
  /** Whether an answer to a validation says that it is live: some say it is not with a 200 as well. */
  isLive(body: string): boolean;
  /** How many times its validations and logins ours should be, where there is an aim. */
  readonly aims: { readonly validations?: number; readonly logins?: number };
  /** What a reader has to know to judge the figures. */
  readonly notes: readonly string[];
}

/** Sends one request of a load, and gives the answer. Throws when it is no 2xx. */
export async function send(server: Server, { method, path, body, headers }: Request): Promise<Response> {
  const answer = await fetch(server.url + path, {
    method,
    ...(body && { body }),
    ...(headers && { headers }),
  });
  if (!answer.ok) throw new Error(`${method} ${path} is answered ${answer.status}: ${await answer.text()}`);
  return answer;
}

/** Does `work` for every user, one after the other. */
export async function forUsers<T>(work: (name: string) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  for (let number = 0; number < USERS; number += 1) done.push(await work(nameOf(number)));
  return done;
}
