interface Waiting {
  readonly start: () => void;
  readonly giveUp: NodeJS.Timeout;
}

/** What bounds {@link Turns}. */
export interface TurnLimits {
  /** How many run at a time. */
  readonly atOnce: number;
  /** Milliseconds that one may wait for its turn, where it does not say until when. */
  readonly deadline: number;
  /** How many may wait at once. */
  readonly queue: number;
}

/** Thrown when a turn does not come in time. */
export class NoTurn extends Error {
  override name = 'NoTurn';
}

/** Runs so much at a time and queues the rest. */
export class Turns {
  readonly #limits: TurnLimits;
  readonly #name: string;
  readonly #queue = new Set<Waiting>();
  #underWay = 0;

  /** What waits is told of the queue by `name`. */
  constructor(limits: TurnLimits, name = 'queue') {
    this.#limits = limits;
    this.#name = name;
  }

  /** How many wait for their turn. */
  get waiting(): number {
    return this.#queue.size;
  }

  /** How many have their turn. */
  get underWay(): number {
    return this.#underWay;
  }

  /**
   * Runs `work` when its turn comes; throws {@link NoTurn} when that is not in time: before `giveUpAt`, as
   * `performance.now()` tells time, or where nobody says, before the deadline.
   */
  async run<T>(work: () => Promise<T>, giveUpAt?: number): Promise<T> {
    if (this.#underWay < this.#limits.atOnce) this.#underWay += 1;
    else await this.#turn(giveUpAt);
    try {
      return await work();
    } finally {
      this.#passOn();
      await this.ended();
    }
  }

  /** What a result waits for before it is given; its place has been passed on by then. */
  protected ended(): Promise<void> | undefined {
    return undefined;
  }

  #turn(giveUpAt?: number): Promise<void> {
    if (this.#queue.size >= this.#limits.queue) throw new NoTurn(`the ${this.#name} is full`);
    const wait = giveUpAt === undefined ? this.#limits.deadline : Math.max(0, giveUpAt - performance.now());
    return new Promise((resolve, reject) => {
      const late = () => {
        this.#queue.delete(waiting);
        reject(new NoTurn(`no turn in the ${this.#name} before its deadline`));
      };
      const giveUp = setTimeout(late, wait);
      const waiting = { start: resolve, giveUp };
      this.#queue.add(waiting);
    });
  }

  /** Gives the place of what has ended to the one that waits longest. */
  #passOn(): void {
    const [next] = this.#queue;
    if (next === undefined) {
      this.#underWay -= 1;
      return;
    }
    this.#queue.delete(next);
    clearTimeout(next.giveUp);
    next.start();
  }
}
