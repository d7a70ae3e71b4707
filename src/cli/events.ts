import type { Command } from 'commander';
import type { RecordedEvent } from '../domain/event.ts';
import { maskedName, userKey } from '../domain/user.ts';
import { duration } from '../settings/parsers.ts';
import type { Settings } from '../settings/table.ts';
import type { EventFilter, Store } from '../storage/store.ts';
import { visible } from '../visible.ts';
import { onStore, settingsFor, storeCommand, type Terminal } from './context.ts';
import { WrongUsage } from './failure.ts';
import { type PrintedRow, printList, time } from './print.ts';

const PAGE = 1_000;
const HEADINGS = ['at', 'event', 'user', 'from', 'digest', 'reason', 'count'];

const ISO_TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

/** Whether it is an ISO 8601 date that there is, alone or with a time and its zone: V8 reads much else, too. */
function isTime(text: string): boolean {
  const day = text.slice(0, 10);
  if (!ISO_TIME.test(text) || Number.isNaN(Date.parse(day))) return false;
  // 30 February would be read as 2 March.
  return new Date(day).toISOString().startsWith(day);
}

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
  if (!isTime(text) || Number.isNaN(at))
    throw new WrongUsage(
      `--since: "${text}" is no time: write 2026-01-31, 2026-01-31T08:00:00Z, or PT1H for the last hour.`,
    );
  return () => at;
}

/** The store takes all spellings of a name for one user; here they are so only where the settings say it. */
function isAbout(user: string | undefined, { namesCaseSensitive }: Settings) {
  const keyOf = (name: string) => userKey(name, namesCaseSensitive);
  return (event: RecordedEvent) => user === undefined || keyOf(event.user ?? '') === keyOf(user);
}

/** Every event that the filter leaves, page by page: nobody knows how many there are. */
async function* everyEvent(store: Store, filter: EventFilter): AsyncGenerator<RecordedEvent[]> {
  for (let after: Pick<EventFilter, 'after'> = {}; ; ) {
    const page = await store.read((unit) => unit.events.list({ ...filter, ...after, limit: PAGE }));
    yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = { after: last };
  }
}

const rowOf = ({ at, kind, user, from, digest, reason, count }: RecordedEvent): PrintedRow => ({
  at: time(at),
  event: kind,
  user,
  from,
  digest,
  reason,
  count,
});

const nothingAbout = (name: string) =>
  `There is nothing about "${visible(name)}". What was tried with a name that nobody has stands as "${maskedName(name)}".\n`;

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
      await onStore(settings, async (store, clock) => {
        let isEmpty = true;
        const filter = { ...user, ...(since && { since: since(clock()) }) };
        const pages = (async function* () {
          for await (const page of everyEvent(store, filter)) {
            const rows = page.filter(isAbout(options.user, settings)).map(rowOf);
            // The first page of a list says how wide its columns are.
            if (rows.length === 0) continue;
            isEmpty = false;
            yield rows;
          }
        })();
        await printList(terminal, HEADINGS, pages, options.json === true);
        if (isEmpty && options.user !== undefined) terminal.stderr.write(nothingAbout(options.user));
      });
    });
}
