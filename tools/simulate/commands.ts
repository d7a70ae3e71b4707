import fc, { type AsyncCommand } from 'fast-check';
import * as clients from './clients.ts';
import { FAULTS } from './faulty-store.ts';
import { INSTANCES, type Ticket, type User, type World } from './world.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** How far the clock is moved on: most steps end nothing, and some end tickets and lock-outs. */
const STEPS = [SECOND, 20 * SECOND, 5 * MINUTE, 31 * MINUTE, 130 * MINUTE];

/** What is drawn for a command. */
const drawn = fc.record({
  at: fc.nat(INSTANCES.length - 1),
  user: fc.nat(1),
  which: fc.nat(9),
  fault: fc.constantFrom(...FAULTS),
  by: fc.constantFrom(...STEPS),
});

/** A command begins something, and does not wait for its end. */
class SimulatedCommand implements AsyncCommand<World, World> {
  readonly #words: string;
  readonly #work: (world: World) => unknown;
  readonly #needsTicket: boolean;

  constructor(words: string, work: (world: World) => unknown, needsTicket = false) {
    this.#words = words;
    this.#work = work;
    this.#needsTicket = needsTicket;
  }

  check({ tickets }: World): boolean {
    return !this.#needsTicket || tickets.length > 0;
  }

  async run(world: World): Promise<void> {
    await this.#work(world);
  }

  toString(): string {
    return this.#words;
  }
}

type ByUser = (world: World, at: number, user: User) => Promise<void>;
type ByTicket = (world: World, at: number, ticket: Ticket) => Promise<void>;
type DrawnCommand = fc.Arbitrary<SimulatedCommand>;

const nameOf = (at: number) => INSTANCES[at] as string;
const userNames = ['ada', 'bob'];

/** Something about a user. */
const aboutUser = (words: string, act: ByUser): DrawnCommand =>
  drawn.map(({ at, user }) => {
    const told = `${words} of ${userNames[user]} at ${nameOf(at)}`;
    return new SimulatedCommand(told, (world) =>
      world.begin(told, () => act(world, at, world.users[user] as User)),
    );
  });

/** Something about a ticket: one of the last ones. */
const aboutTicket = (words: string, act: ByTicket): DrawnCommand =>
  drawn.map(({ at, which }) => {
    const told = `${words}, the ticket ${which} before the last, at ${nameOf(at)}`;
    const work = (world: World) => {
      const ticket = world.tickets.at(-1 - (which % world.tickets.length)) as Ticket;
      world.begin(told, () => act(world, at, ticket));
    };
    return new SimulatedCommand(told, work, true);
  });

const logIn: DrawnCommand = drawn.map(({ at, user, which }) => {
  const back = which < 8 ? 0 : 1;
  const told = `log-in of ${userNames[user]} at ${nameOf(at)}${back === 0 ? '' : ' with an older password'}`;
  return new SimulatedCommand(told, (world) =>
    world.begin(told, () => clients.logIn(world, at, world.users[user] as User, back)),
  );
});

const endEverything: DrawnCommand = drawn.map(({ at }) => {
  const told = `end of all tickets of all at ${nameOf(at)}`;
  return new SimulatedCommand(told, (world) => world.begin(told, () => clients.endEverything(world, at)));
});

const fail: DrawnCommand = drawn.map(({ at, fault, which }) => {
  const times = 1 + (which % 4);
  const told = `fault at ${nameOf(at)}: a unit ${fault}, ${times} times`;
  return new SimulatedCommand(told, (world) => {
    world.log.push(told);
    for (let left = times; left > 0; left -= 1) world.instances[at]?.store.plan(fault);
  });
});

const crash: DrawnCommand = drawn.map(({ at }) => {
  const told = `crash of ${nameOf(at)}`;
  return new SimulatedCommand(told, (world) => {
    world.log.push(told);
    return world.crash(at);
  });
});

const advance: DrawnCommand = drawn.map(({ by }) => {
  const told = `clock on by ${by / SECOND} s`;
  return new SimulatedCommand(told, (world) => {
    world.log.push(told);
    world.advance(by);
  });
});

const times = (count: number, command: DrawnCommand) => Array.from({ length: count }, () => command);

/** What can happen, as often as it is named. */
const ALL: DrawnCommand[] = [
  ...times(6, logIn),
  ...times(10, aboutTicket('validation', clients.validate)),
  ...times(5, aboutTicket('log-out', clients.logOut)),
  ...times(2, aboutTicket('change of the own password', clients.changePassword)),
  ...times(2, aboutUser('end of all tickets', clients.endAll)),
  ...times(
    2,
    aboutUser('disabling', (...about) => clients.change(...about, 'disable')),
  ),
  ...times(
    3,
    aboutUser('enabling', (...about) => clients.change(...about, 'enable')),
  ),
  ...times(
    2,
    aboutUser('lock', (...about) => clients.change(...about, 'lock')),
  ),
  ...times(3, aboutUser('unlocking', clients.unlock)),
  aboutUser('new password', clients.setPassword),
  aboutUser('guessing', clients.guess),
  endEverything,
  ...times(4, fail),
  ...times(2, crash),
  ...times(2, advance),
];

const MOST_COMMANDS = 30;

/** Lists of commands. */
export const commands = fc.commands(ALL, { maxCommands: MOST_COMMANDS, size: 'max' });
