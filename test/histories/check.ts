import { createHash } from 'node:crypto';
import { type Linearization, linearize, type Step } from './linearization.ts';
import { after, type Happening, happeningsOf, isRead, type Model, OPEN, UNKNOWN } from './model.ts';
import type { History, Interval } from './record.ts';

/** Operations that no order explains. */
export interface Counterexample {
  /** The ticket, by the first 8 digits of its digest, as the log shows it; or the logins of a user. */
  readonly subject: string;
  /** A small part of the operations that no order explains either, in the order of their calls. */
  readonly intervals: readonly Interval[];
  /** The longest order of these that was found. */
  readonly order: readonly Interval[];
  /** One of these had to come next, and none can. */
  readonly stuck: readonly Interval[];
  /** Whether an order explains all but what was seen while it might be stale. */
  readonly isExcused: boolean;
}

interface Moment extends Step<Model> {
  readonly interval: Interval;
  readonly happening: Happening;
}

/** A login was acknowledged, so it has to hold. */
const mayBeStale = ({ interval, isRead, happening }: Moment) =>
  interval.mayBeStale && isRead && happening.what !== 'login';
/** Whether others can tell that it happened, even if its client cannot. Nobody else has the ticket that a login issued. */
const isChange = ({ isRead, happening }: Moment) => !isRead && happening.what !== 'login';

function momentsOf(intervals: readonly Interval[], ticket: string | undefined): Moment[] {
  return intervals.flatMap((interval) =>
    happeningsOf(interval, ticket).map((happening) => ({
      begin: interval.begin,
      end: interval.end,
      interval,
      happening,
      isRead: isRead(happening),
      effect: JSON.stringify(happening),
      after: (state) => after(state, happening),
    })),
  );
}

const isIssue = ({ happening }: Moment) => happening.what === 'login' && happening.issues;

/** The history of a ticket leaves out what ended before its login. That of a user is whole: each may log in at its beginning. */
const search = (moments: readonly Moment[]): Linearization<Moment> =>
  linearize(moments.some(isIssue) ? UNKNOWN : OPEN, moments);
const isExplained = (moments: readonly Moment[]) => search(moments).stuck === undefined;

/** The history as it was at this position: what had not returned may have happened, if that can be told at all. */
function until(moments: readonly Moment[], position: number): Moment[] {
  return moments
    .filter((moment) => moment.begin < position && (moment.end <= position || isChange(moment)))
    .map((moment) => (moment.end <= position ? moment : { ...moment, end: Number.POSITIVE_INFINITY }));
}

/** The shortest beginning that no order explains: each beginning of a history that has an order has one. */
function shortest(moments: readonly Moment[]): Moment[] {
  const ends = moments
    .map(({ end }) => end)
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  let [low, high] = [0, ends.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isExplained(until(moments, ends[middle] as number))) low = middle + 1;
    else high = middle;
  }
  return until(moments, ends[high] as number);
}

/** Leaves out what was seen and is not needed: first large parts, then single ones. */
function withoutSuperfluous(moments: readonly Moment[]): readonly Moment[] {
  let left = moments;
  for (let size = moments.length >> 1; size >= 1; size >>= 1) {
    const seen = left.filter((moment) => moment.isRead);
    for (let from = 0; from < seen.length; from += size) {
      const part = new Set(seen.slice(from, from + size));
      const rest = left.filter((moment) => !part.has(moment));
      if (!isExplained(rest)) left = rest;
    }
  }
  return left;
}

/** Leaves out changes that explain nothing, whether they happened or not. */
function withoutVain(moments: readonly Moment[]): readonly Moment[] {
  let left = moments;
  for (const moment of moments) {
    if (!isChange(moment)) continue;
    const maybe = left.map((other) =>
      other === moment ? { ...moment, end: Number.POSITIVE_INFINITY } : other,
    );
    if (!isExplained(maybe)) left = maybe;
  }
  for (const moment of left) {
    const rest = left.filter((other) => other !== moment);
    if (!Number.isFinite(moment.end) && stuckIn(rest) === stuckIn(left)) left = rest;
  }
  return left;
}

/** Where all orders get stuck, as a text to compare. */
const stuckIn = (moments: readonly Moment[]) =>
  intervalsOf(search(moments).stuck ?? [])
    .map(({ begin }) => begin)
    .join();

const intervalsOf = (moments: readonly Moment[]) =>
  [...new Set(moments.map(({ interval }) => interval))].sort((a, b) => a.begin - b.begin);

function explain(subject: string, moments: readonly Moment[]): Counterexample {
  const least = withoutVain(withoutSuperfluous(shortest(moments)));
  const { order, stuck = [] } = search(least);
  return {
    subject,
    intervals: intervalsOf(least),
    order: order.map(({ interval }) => interval),
    stuck: intervalsOf(stuck),
    isExcused: isExplained(moments.filter((moment) => !mayBeStale(moment))),
  };
}

/** Operations about a user, or all users, in the order of their calls. */
class Changes {
  readonly #answered: Interval[] = [];
  /** The latest end up to each of these. */
  readonly #latestEnds: number[] = [];
  readonly #unanswered: Interval[] = [];

  add(interval: Interval): void {
    if (interval.answer === undefined) {
      this.#unanswered.push(interval);
      return;
    }
    this.#answered.push(interval);
    this.#latestEnds.push(Math.max(interval.end, this.#latestEnds.at(-1) ?? 0));
  }

  /**
   * Those that may happen between these positions; with each also those that it may have come before, since it would else seem
   * to be the last of them.
   */
  between(from: number, to: number): Interval[] {
    let start = from;
    let at = this.#firstEndingAfter(start);
    for (
      let first = this.#answered[at];
      first !== undefined && first.begin < start;
      first = this.#answered[at]
    ) {
      start = first.begin;
      at = this.#firstEndingAfter(start);
    }
    const found = this.#unanswered.filter(({ begin }) => begin < to);
    for (; at < this.#answered.length; at += 1) {
      const interval = this.#answered[at] as Interval;
      if (interval.begin >= to) break;
      if (interval.end > start) found.push(interval);
    }
    return found;
  }

  #firstEndingAfter(position: number): number {
    let [low, high] = [0, this.#latestEnds.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#latestEnds[middle] as number) > position) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

const userOf = ({ operation }: Interval) => ('user' in operation ? operation.user : undefined);

/** A ticket as the log shows it. */
const shown = (ticket: string) => createHash('sha256').update(ticket).digest('hex').slice(0, 8);

/** Finds every ticket, and every user, whose operations no order explains. Each is searched for itself. */
export function* counterexamples({ intervals }: History): Generator<Counterexample, void> {
  const changes = new Map<string | undefined, Changes>();
  for (const interval of intervals) {
    if (interval.operation.act === 'login' || interval.ticket !== undefined) continue;
    const user = userOf(interval);
    const own = changes.get(user) ?? new Changes();
    changes.set(user, own);
    own.add(interval);
  }
  for (const [ticket, own] of Map.groupBy(intervals, (interval) => interval.ticket)) {
    if (ticket === undefined) continue;
    const login = own.find(({ operation }) => operation.act === 'login');
    const user = login && userOf(login);
    const last = own.reduce((most, { end, begin }) => Math.max(most, Number.isFinite(end) ? end : begin), 0);
    const others = [...new Set([user, undefined])].flatMap(
      (key) => changes.get(key)?.between(login?.begin ?? 0, last) ?? [],
    );
    const moments = momentsOf([...own, ...others], ticket);
    if (!isExplained(moments)) yield explain(`ticket ${shown(ticket)} of ${user}`, moments);
  }
  for (const [user, own] of Map.groupBy(intervals, userOf)) {
    const moments = momentsOf(own, undefined);
    if (user !== undefined && !isExplained(moments)) yield explain(`logins of ${user}`, moments);
  }
}

/** Checks a history; undefined if there is an order of its operations for every ticket and every user. */
export function check(history: History): Counterexample | undefined {
  return counterexamples(history).next().value ?? undefined;
}

const time = (milliseconds: number) =>
  Number.isFinite(milliseconds) ? `${milliseconds.toFixed(1)} ms` : 'no answer';

/** When an operation was called and returned, counted from the first call of the counterexample. */
export function timesOf({ calledAt, returnedAt }: Interval, { intervals }: Counterexample): string {
  const first = intervals[0]?.calledAt ?? 0;
  return `${time(calledAt - first)} – ${time(returnedAt - first)}`;
}

/** An operation with its answer, in a few words. */
export function wordsOf({ operation, answer, place }: Interval): string {
  return `${operation.act} at ${place} → ${answer ?? 'no answer'}`;
}

/** A counterexample in one line: its subject and operations, and which of them cannot come next. */
export function lineOf(counterexample: Counterexample): string {
  const { subject, intervals, stuck } = counterexample;
  const each = intervals.map((interval) => {
    const mark = stuck.includes(interval) ? ' (impossible)' : '';
    return `${interval.client}: ${wordsOf(interval)} [${timesOf(interval, counterexample)}]${mark}`;
  });
  return `no order explains ${subject}: ${each.join('; ')}`;
}
