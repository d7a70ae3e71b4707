import { EVENT_HEADINGS, nothingAbout } from '../../capabilities/admin/commands/events.ts';
import { type PrintedRow, printList } from '../../faces/cli/print.ts';
import { timeOption } from '../../faces/cli/time-option.ts';
import { type RemoteCommand, rowsOf } from './remote-command.ts';

const timeIn = (since: string) =>
  new Date(timeOption('--since', since, 'before now')(Date.now())).toISOString();

export const listEvents: RemoteCommand = {
  options: ['user', 'since', 'json'],
  async does(admin, _, { user, since, json }, terminal) {
    const query = {
      order: 'oldest-first',
      limit: '1000',
      ...(user !== undefined && { user: String(user) }),
      ...(since !== undefined && { since: timeIn(String(since)) }),
    };
    const pages = rowsOf(
      admin.pages('GET /events', { query }),
      ({ at, kind, user, actor, from, ticket, reason, count, program }) => ({
        at,
        event: kind,
        user,
        actor,
        from,
        digest: ticket,
        reason,
        count,
        program,
      }),
    );
    let isEmpty = true;
    const filled = (async function* (): AsyncGenerator<PrintedRow[]> {
      for await (const page of pages) {
        // The first page sets the widths of the columns, so it must not be empty.
        if (page.length === 0) continue;
        isEmpty = false;
        yield page;
      }
    })();
    await printList(terminal, EVENT_HEADINGS, filled, json === true);
    if (isEmpty && user !== undefined) terminal.stderr.write(nothingAbout(String(user)));
  },
};
