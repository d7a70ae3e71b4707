import { countingAlso, type Event, minuteOf } from '../../../src/core/domain/event.ts';
import { userKey } from '../../../src/core/domain/user.ts';
import type { Events } from '../../../src/core/storage/events.ts';
import { every, next, type Sight, type Tables } from './tables.ts';
import { addDeliveries, followCount } from './webhooks.ts';

const sameCase = (a: Event, b: Event) =>
  a.kind === b.kind && a.user === b.user && a.from === b.from && a.reason === b.reason;

/** The events of the memory engine. */
export function eventsIn(tables: Tables, sight: Sight): Events {
  const write = (event: Event, count: number, minute: number | undefined) => {
    const id = next(tables, 'lastEvent');
    const { at, kind, user, actor, from, program, digest, reason } = event;
    const recorded = { id, at, kind, user, actor, from, program, digest, reason, count };
    tables.events.set(id, { ...recorded, minute });
    addDeliveries(tables, recorded, minute);
  };
  return {
    async list({ user, since = 0, after = { at: since, id: 0 }, limit }) {
      return every(tables.events, sight)
        .filter(({ at, id }) => at > after.at || (at === after.at && id > after.id))
        .filter((event) => user === undefined || userKey(event.user ?? '') === userKey(user))
        .sort((a, b) => a.at - b.at || a.id - b.id)
        .slice(0, limit)
        .map(({ minute, ...event }) => event);
    },
    async latest({ user, kind, from, since = 0, until = Number.POSITIVE_INFINITY, before, limit }) {
      return every(tables.events, sight)
        .filter((event) => user === undefined || userKey(event.user ?? '') === userKey(user))
        .filter((event) => kind === undefined || [kind].flat().includes(event.kind))
        .filter((event) => from === undefined || event.from === from)
        .filter(({ at }) => at >= since && at < until)
        .filter(({ at, id }) => !before || at < before.at || (at === before.at && id < before.id))
        .sort((a, b) => b.at - a.at || b.id - a.id)
        .slice(0, limit)
        .map(({ minute, ...event }) => event);
    },
    async appended(after, limit) {
      const all = every(tables.events, sight).sort((a, b) => a.id - b.id);
      const found = after === undefined ? all.slice(-1) : all.filter(({ id }) => id > after).slice(0, limit);
      return found.map(({ minute, ...event }) => event);
    },
    async counts(kind, { since, step, number }) {
      const times = Array<number>(number).fill(0);
      for (const event of every(tables.events, sight).filter((each) => each.kind === kind)) {
        const span = Math.floor((event.at - since) / step);
        if (span in times) times[span] = (times[span] ?? 0) + event.count;
      }
      return times;
    },
    append: async (event) => write(event, 1, undefined),
    async tally(event, times) {
      const minute = minuteOf(event.at);
      const row = tables.events.all().find((old) => old.minute === minute && sameCase(old, event));
      if (row === undefined) write(event, times, minute);
      else {
        const counted = { ...countingAlso(row, event), count: row.count + times };
        tables.events.set(row.id, counted);
        followCount(tables, counted);
      }
    },
    async sweep(at, limit) {
      const old = tables.events.all().filter((event) => event.at < at);
      for (const event of old.slice(0, limit)) tables.events.delete(event.id);
      return Math.min(old.length, limit);
    },
  };
}
