import type { Command } from 'commander';
import type { RecordedEvent } from '../domain/event.ts';
import { userKey } from '../domain/user.ts';
import { duration } from '../settings/parsers.ts';
import type { Settings } from '../settings/table.ts';
import type { EventFilter, Store } from '../storage/store.ts';
import { onStore, settingsFor, storeCommand, type Terminal } from './context.ts';
import { WrongUsage } from './failure.ts';
import { printList, time } from './print.ts';

/** The time from which on, by what time it is now: an ISO 8601 date, or a duration back from now. */
function parseSince(text: string): (now: number) => number {
  if (text.startsWith('P')) {
    try {
      const back = duration(text);
      return (now) => now - back;
    } catch (error) {
      throw new WrongUsage(`--since: ${(error as Error).message}`);
    }
  }
  const at = Date.parse(text);
  if (Number.isNaN(at))
    throw new WrongUsage(
      `--since: "${text}" is no time: write 2026-01-31, 2026-01-31T08:00:00Z, or PT1H for the last hour.`,
    );
  return () => at;
}

/** The store takes all spellings of a name for one user; here they are so only where the settings say it. */
async function eventsOf(
  store: Store,
  filter: EventFilter,
  { namesCaseSensitive }: Settings,
): Promise<RecordedEvent[]> {
  const events = await store.read((unit) => unit.events.list(filter));
  const { user } = filter;
  if (user === undefined) return events;
  const keyOf = (name: string) => userKey(name, namesCaseSensitive);
  return events.filter((event) => keyOf(event.user ?? '') === keyOf(user));
}

/** `tessera events` */
export function eventsCommand(terminal: Terminal): Command {
  return storeCommand('events', 'List what happened: who, from where, when.')
    .option('--user <name>', 'Only those about this user.')
    .option('--since <time>', 'From then on: a date, or a duration such as PT1H.')
    .option('--json', 'As JSON.')
    .action(async (options) => {
      const { settings } = settingsFor(options, terminal);
      const since = options.since === undefined ? undefined : parseSince(options.since);
      const user = options.user === undefined ? {} : { user: options.user as string };
      const events = await onStore(settings, (store, clock) =>
        eventsOf(store, { ...user, ...(since && { since: since(clock()) }) }, settings),
      );
      const rows = events.map(({ at, kind, user: name, from, digest, reason, count }) => ({
        at: time(at),
        event: kind,
        user: name,
        from,
        digest,
        reason,
        count,
      }));
      await printList(
        terminal,
        ['at', 'event', 'user', 'from', 'digest', 'reason', 'count'],
        [rows],
        options.json === true,
      );
    });
}
