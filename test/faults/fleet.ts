import { readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { type Serving, serve } from '../crash/serve.ts';
import { temporaryFolder } from '../service/start.ts';
import { Line } from './asking.ts';
import { Complaints } from './complaints.ts';

/** How often an instance is started that ends before it listens: a busy machine is slow. */
const TRIES = 3;

/** The settings of one instance, beside those that all services of the tests have. */
export type SettingsOf = (name: string) => Record<string, string>;

/** The most memory that a process has held so far, and what it holds now, in MiB. */
export interface Memory {
  readonly now: number;
  readonly most: number;
}

/** What is asked: one of several, behind the round-robin. */
export interface Member {
  readonly name: string;
  /** Whether it takes requests: not before it listens, nor once it is killed. */
  readonly alive: boolean;
  readonly line: Line;
}

/** Whose turn it is to be asked. */
export interface RoundRobin {
  next(): Member;
  nextThree(): readonly [Member, Member, Member];
}

/** One instance of the service: a process of its own. */
export class Instance implements Member {
  readonly name: string;
  readonly complaints: Complaints;
  readonly #start: () => Serving;
  #serving: Serving | undefined;
  #line: Line | undefined;
  #alive = false;

  constructor(name: string, complaints: Complaints, start: () => Serving) {
    this.name = name;
    this.complaints = complaints;
    this.#start = start;
  }

  get alive(): boolean {
    return this.#alive;
  }

  get line(): Line {
    if (this.#line === undefined) throw new Error(`${this.name} was never started`);
    return this.#line;
  }

  /** Starts it; again where it ends at once, as whatever watches over a service does. */
  async start(): Promise<void> {
    for (let left = TRIES - 1; ; left--) {
      this.#serving = this.#start();
      const url = await this.#serving.url.catch((error: unknown) => {
        if (left === 0) throw error;
      });
      if (url === undefined) continue;
      this.#line = new Line(url);
      this.#alive = true;
      return;
    }
  }

  /** Ends it with `kill -9`. */
  async kill(): Promise<void> {
    this.#alive = false;
    this.#serving?.kill('SIGKILL');
    await this.#serving?.ended;
    this.#line?.close();
  }

  /** Stops it in the middle of what it does. Requests to it wait until {@link thaw}. */
  freeze(): void {
    this.#serving?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#serving?.kill('SIGCONT');
  }

  /** Closes what the tests have open to it. */
  close(): void {
    this.#line?.close();
  }

  memory(): Memory {
    const status = readFileSync(`/proc/${this.#serving?.pid}/status`, 'latin1');
    const mebibytes = (field: string) =>
      Math.round(Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1_024);
    return { now: mebibytes('VmRSS'), most: mebibytes('VmHWM') };
  }
}

/** Several instances behind the tests' own round-robin. */
export class Fleet implements RoundRobin {
  readonly instances: readonly Instance[];
  #turn = 0;

  constructor(instances: readonly Instance[]) {
    this.instances = instances;
  }

  /** The instances that take requests. */
  get alive(): Instance[] {
    return this.instances.filter(({ alive }) => alive);
  }

  /** The instance whose turn it is. */
  next(): Instance {
    return this.nextThree()[0];
  }

  /** The instance whose turn it is and the two behind it, all different where that many take requests. */
  nextThree(): [Instance, Instance, Instance] {
    const alive = this.alive.length > 0 ? this.alive : this.instances;
    this.#turn += 1;
    const at = (place: number) => alive[(this.#turn + place) % alive.length] as Instance;
    return [at(0), at(1), at(2)];
  }
}

/** An instance for each name, not yet started; all are gone after the test. */
export async function newFleet(
  t: TestContext,
  names: readonly string[],
  settingsOf: SettingsOf,
): Promise<Fleet> {
  const instances = await Promise.all(
    names.map(async (name) => {
      const data = await temporaryFolder(t);
      const complaints = new Complaints();
      const settings = { TESSERA_LOG_LEVEL: 'warn', ...settingsOf(name) };
      return new Instance(name, complaints, () => serve(t, data, settings, (text) => complaints.hear(text)));
    }),
  );
  t.after(() => {
    for (const instance of instances) instance.close();
  });
  return new Fleet(instances);
}

/** The same, started. */
export async function startFleet(...parts: Parameters<typeof newFleet>): Promise<Fleet> {
  const fleet = await newFleet(...parts);
  await Promise.all(fleet.instances.map((instance) => instance.start()));
  return fleet;
}
