import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { load, type Measured } from '../load/load.ts';
import { type Request, writeRequests } from '../load/requests.ts';
import { inTurn } from '../report/rounds.ts';
import type { Bench } from '../rows/row.ts';
import type { Server } from '../servers/servers.ts';
import { type Peer, type Requests, send } from './peer.ts';

/** The results of one service, one for each round. */
export interface Finding {
  readonly peer: Peer;
  readonly validations: Measured[];
  /** Empty for a service without logins. */
  readonly logins: Measured[];
}

const CONNECTIONS = { validations: 64, logins: 16 };
const WARM_UP = 3;
/** Milliseconds in which work that a load left behind ends. */
const SETTLE = 500;

/** A running service whose users are logged in. */
export class Running implements AsyncDisposable {
  readonly finding: Finding;
  readonly #server: Server;
  readonly #requests: Requests;
  readonly #folder: string;

  private constructor(peer: Peer, server: Server, requests: Requests, folder: string) {
    this.finding = { peer, validations: [], logins: [] };
    this.#server = server;
    this.#requests = requests;
    this.#folder = folder;
  }

  /** Starts a service in a new folder and logs its users in. */
  static async start(peer: Peer, folder: string): Promise<Running> {
    const place = mkdtempSync(join(folder, 'peer-'));
    const server = await peer.start(place);
    try {
      const running = new Running(peer, server, await peer.logIn(server), place);
      await running.#isRight();
      return running;
    } catch (error) {
      await server[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Throws unless the service knows every user, because fast refusals would look like speed. */
  async #isRight(): Promise<void> {
    for (const validation of this.#requests.validations) {
      const body = await (await send(this.#server, validation)).text();
      if (!this.finding.peer.isLive(body)) throw new Error(`a user who logged in is not known: ${body}`);
    }
  }

  #load(what: 'validations' | 'logins', all: readonly Request[], seconds: number): Promise<Measured> {
    const requests = writeRequests(join(this.#folder, what), all);
    return load(this.#server, { requests, connections: CONNECTIONS[what], seconds });
  }

  async warmUp(): Promise<void> {
    await this.#load('validations', this.#requests.validations, WARM_UP);
  }

  /** Measures one round. */
  async measure(seconds: number): Promise<void> {
    const { validations, logins } = this.#requests;
    await pause(SETTLE);
    this.finding.validations.push(await this.#load('validations', validations, seconds));
    await pause(SETTLE);
    if (logins) this.finding.logins.push(await this.#load('logins', logins, seconds));
    await this.#isRight();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }
}

/** A service that failed while it was measured: the table says so. */
export interface Unmeasured {
  readonly name: string;
  readonly why: string;
}

/** The results of all services. */
export interface AllFindings {
  readonly findings: readonly Finding[];
  readonly unmeasured: readonly Unmeasured[];
}

/**
 * Measures running services in turn, round by round. The order of each round is the reverse of the previous one. A service
 * that fails is not measured again.
 */
export async function measure(
  peers: readonly Peer[],
  { rounds, seconds, folder, say }: Pick<Bench, 'rounds' | 'seconds' | 'folder' | 'say'>,
): Promise<AllFindings> {
  await using started = new AsyncDisposableStack();
  const running = new Set<Running>();
  const unmeasured: Unmeasured[] = [];
  const unlessItFails = async (peer: Peer, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      unmeasured.push({ name: peer.name, why: (error as Error).message });
      for (const service of running) if (service.finding.peer === peer) running.delete(service);
    }
  };
  for (const peer of peers) {
    say(`${peer.name}: users log in`);
    await unlessItFails(peer, async () => running.add(started.use(await Running.start(peer, folder))));
  }
  for (const service of running) await unlessItFails(service.finding.peer, () => service.warmUp());
  for (let round = 0; round < rounds; round += 1) {
    say(`round ${round + 1} of ${rounds}`);
    for (const service of inTurn(running, round))
      await unlessItFails(service.finding.peer, () => service.measure(seconds));
  }
  return { findings: Array.from(running, ({ finding }) => finding), unmeasured };
}
