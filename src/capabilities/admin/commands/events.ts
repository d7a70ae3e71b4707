import type { Command } from 'commander';
import type { RecordedEvent } from '../../../core/domain/event.ts';
import { maskedName, userKey } from '../../../core/domain/user.ts';
import type { Settings } from '../../../core/settings/table.ts';
import type { EventFilter } from '../../../core/storage/events.ts';
import type { Store } from '../../../core/storage/store.ts';
import { visible } from '../../../core/visible.ts';
import { onStore, settingsFor, storeCommand } from '../../../faces/cli/context.ts';
import { type PrintedRow, printList, time } from '../../../faces/cli/print.ts';
import type { Terminal } from '../../../faces/cli/terminal.ts';
import { timeOption } from '../../../faces/cli/time-option.ts';

const PAGE = 1_000;
/** The columns of the list. */
export const EVENT_HEADINGS = [
  'at',
  'event',
  'user',
  'actor',
  'from',
  'digest',
  'reason',
  'count',
  'program',
];

/** The store finds all spellings of a name. Here they count as one user only if the settings say so. */
function isAbout(user: string | undefined, { namesCaseSensitive }: Settings) {
  const keyOf = (name: string) => userKey(name, namesCaseSensitive);
  return (event: RecordedEvent) => user === undefined || keyOf(event.user ?? '') === keyOf(user);
}

/** Every event that passes the filter, read in pages: there may be any number. */
async function* everyEvent(store: Store, filter: EventFilter): AsyncGenerator<RecordedEvent[]> {
  for (let after: Pick<EventFilter, 'after'> = {}; ; ) {
    const page = await store.read((unit) => unit.events.list({ ...filter, ...after, limit: PAGE }));
    yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = { after: last };
  }
}

const rowOf = ({
  at,
  kind,
  user,
  actor,
  from,
  digest,
  reason,
  count,
  program,
}: RecordedEvent): PrintedRow => ({
  at: time(at),
  event: kind,
  user,
  actor,
  from,
  digest,
  reason,
  count,
  program,
});

/** The message for a user without events. */
export const nothingAbout = (name: string) =>
  `There is nothing about "${visible(name)}". Attempts with a name that nobody has are listed as "${maskedName(name)}".\n`;

/** `tessera events` */
export function eventsCommand(terminal: Terminal): Command {
  return storeCommand(terminal, 'events', 'List the events: who did what, when, from where.')
    .option('--user <name>', 'Only those about this user.')
    .option('--since <time>', 'From then on: a date, or a duration such as PT1H.')
    .option('--json', 'As JSON.')
    .action(async (options) => {
      const { settings } = settingsFor(options, terminal);
      const since =
        options.since === undefined ? undefined : timeOption('--since', options.since, 'before now');
      const user = options.user === undefined ? {} : { user: options.user as string };
      await onStore(terminal, settings, async (store, clock) => {
        let isEmpty = true;
        const filter = { ...user, ...(since && { since: since(clock()) }) };
        const pages = (async function* () {
          for await (const page of everyEvent(store, filter)) {
            const rows = page.filter(isAbout(options.user, settings)).map(rowOf);
            // The first page sets the widths of the columns, so it must not be empty.
            if (rows.length === 0) continue;
            isEmpty = false;
            yield rows;
          }
        })();
        await printList(terminal, EVENT_HEADINGS, pages, options.json === true);
        if (isEmpty && options.user !== undefined) terminal.stderr.write(nothingAbout(options.user));
      });
    });
}
