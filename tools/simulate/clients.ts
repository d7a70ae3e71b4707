import lockoutDelete from '../../src/capabilities/admin/operations/admin/lockout.delete.ts';
import ticketsDelete from '../../src/capabilities/admin/operations/admin/tickets.delete.ts';
import userTicketsDelete from '../../src/capabilities/admin/operations/admin/users/tickets.delete.ts';
import passwordPut from '../../src/capabilities/people/operations/admin/users/password.put.ts';
import userGet from '../../src/capabilities/people/operations/admin/users/user.get.ts';
import userPatch from '../../src/capabilities/people/operations/admin/users/user.patch.ts';
import changepasswordPost from '../../src/capabilities/people/operations/people/changepassword.post.ts';
import type { AnyOperation } from '../../src/core/operation.ts';
import loginPost from '../../src/core/operations/login.post.ts';
import loginticketDelete from '../../src/core/operations/loginticket.delete.ts';
import loginticketGet from '../../src/core/operations/loginticket.get.ts';
import type { CallBy, Operation } from '../../test/histories/record.ts';
import type { Said } from './instance.ts';
import { INSTANCES, type Ticket, type User, type World } from './world.ts';

/** Failures after which a user is locked out. */
export const LOCKS_AFTER = 5;
/** No user has this password. */
const WRONG = 'a wrong password';

const by = (at: number, client: string, operation: Operation): CallBy => ({
  ...operation,
  client,
  place: INSTANCES[at] as string,
});

/** Notes that a login is under way that may count as a failure, and so lock the user out at any time from now on. */
function mayFail(world: World, user: User): void {
  user.failures += 1;
  if (user.failures < LOCKS_AFTER) return;
  user.mayBeLocked = true;
  world.history.call({ client: 'failures', place: 'all', act: 'lock', user: user.name });
}

/** A password of the user: the last one that was set, or one before it. */
const passwordOf = ({ passwords }: User, back: number) =>
  passwords[Math.max(0, passwords.length - 1 - back)] as string;

/** Logs in with a password that was set last, or before that. */
export async function logIn(world: World, at: number, user: User, back: number): Promise<void> {
  const password = passwordOf(user, back);
  mayFail(world, user);
  const told = by(at, user.name, { act: 'login', user: user.name, password });
  const issuedFrom = world.now();
  const said = await world.ask(at, told, {
    operation: loginPost,
    body: { username: user.name, password },
    address: world.freshAddress(),
  });
  if (said?.answer !== 'yes') return;
  user.failures -= 1;
  const { ticket: text } = said.value as { ticket: string };
  world.add({
    text,
    user,
    issuedFrom,
    issuedBy: world.now(),
    usedAt: world.now(),
    underway: 0,
    expiry: undefined,
    isExpired: false,
  });
}

async function using(world: World, ticket: Ticket, work: () => Promise<Said>): Promise<void> {
  ticket.underway += 1;
  await work().finally(() => {
    ticket.underway -= 1;
  });
  ticket.usedAt = world.now();
}

/** Validates a ticket. While nobody knows whether it has ended by the clock, the answer proves nothing. */
export function validate(world: World, at: number, ticket: Ticket): Promise<void> {
  const { text, user } = ticket;
  const told = world.isInDoubt(ticket) ? undefined : by(at, user.name, { act: 'validate', ticket: text });
  return using(world, ticket, () =>
    world.ask(at, told, {
      operation: loginticketGet,
      path: { ticket: text },
      ticket: text,
      address: world.freshAddress(),
    }),
  );
}

/** Logs out. */
export function logOut(world: World, at: number, ticket: Ticket): Promise<void> {
  const { text, user } = ticket;
  const operation = by(at, user.name, { act: 'log-out', ticket: text });
  const request = {
    operation: loginticketDelete,
    path: { ticket: text },
    ticket: text,
    address: world.freshAddress(),
  };
  const isInDoubt = world.isInDoubt(ticket);
  // It may end the ticket at any time from now on; its answer proves nothing.
  if (isInDoubt) world.history.call(operation);
  return using(world, ticket, () => world.ask(at, isInDoubt ? undefined : operation, request));
}

/** Changes the own password, by a ticket and the old password. */
export async function changePassword(world: World, at: number, ticket: Ticket): Promise<void> {
  const { text, user } = ticket;
  const oldpw = passwordOf(user, 0);
  const newpw = `password-${user.passwords.length}`;
  user.passwords.push(newpw);
  mayFail(world, user);
  const told = by(at, user.name, { act: 'password', user: user.name, password: newpw, keeps: text });
  await using(world, ticket, () =>
    world.ask(at, told, {
      operation: changepasswordPost,
      path: { userName: user.name },
      body: { oldpw, newpw },
      ticket: text,
      address: world.freshAddress(),
    }),
  );
}

interface Administration {
  readonly operation: AnyOperation;
  readonly path?: Readonly<Record<string, string>>;
  readonly body?: object;
}

function administer(world: World, at: number, told: Operation | undefined, request: Administration) {
  const { apiKey } = world;
  return world.ask(at, told && by(at, 'administrator', told), {
    ...request,
    header: { apiKey },
    address: world.freshAddress(),
  });
}

/** Sets the password of a user. */
export async function setPassword(world: World, at: number, user: User): Promise<void> {
  const password = `password-${user.passwords.length}`;
  user.passwords.push(password);
  await administer(
    world,
    at,
    { act: 'password', user: user.name, password },
    {
      operation: passwordPut,
      path: { userName: user.name },
      body: { password, mustChangePassword: false },
    },
  );
}

/** Ends all tickets of a user. */
export async function endAll(world: World, at: number, { name }: User): Promise<void> {
  await administer(
    world,
    at,
    { act: 'end-all', user: name },
    {
      operation: userTicketsDelete,
      path: { userName: name },
    },
  );
}

/** Ends all tickets of all users. */
export async function endEverything(world: World, at: number): Promise<void> {
  await administer(world, at, { act: 'generation' }, { operation: ticketsDelete });
}

/** Disables or enables a user, or locks it by hand. */
export async function change(
  world: World,
  at: number,
  { name }: User,
  act: 'disable' | 'enable' | 'lock',
): Promise<void> {
  await administer(
    world,
    at,
    { act, user: name },
    {
      operation: userPatch,
      path: { userName: name },
      body: act === 'lock' ? { locked: true } : { disabled: act === 'disable' },
    },
  );
}

/** Ends a lock, by hand or by failures, and forgets the failures. */
export async function unlock(world: World, at: number, { name }: User): Promise<void> {
  await administer(
    world,
    at,
    { act: 'unlock', user: name },
    {
      operation: lockoutDelete,
      path: { userName: name },
    },
  );
}

/** Guesses until the user has to be locked out, and asks an administrator whether it is. */
export async function guess(world: World, at: number, user: User): Promise<void> {
  const { name } = user;
  user.mayBeLocked = true;
  user.failures += LOCKS_AFTER;
  const lock = world.history.call(by(at, 'guesser', { act: 'lock', user: name }));
  for (let left = LOCKS_AFTER; left > 0; left -= 1)
    await world.ask(at, by(at, 'guesser', { act: 'login', user: name, password: WRONG }), {
      operation: loginPost,
      body: { username: name, password: WRONG },
      address: world.freshAddress(),
    });
  const said = await administer(world, at, undefined, { operation: userGet, path: { userName: name } });
  if ((said?.value as { locked?: boolean } | undefined)?.locked) lock.returned('yes');
}
