import type { Command } from 'commander';
import { maskedName } from '../../../core/domain/user.ts';
import { visible } from '../../../core/visible.ts';
import { operationCommand, withRunner } from '../../../faces/cli/operation-command.ts';
import { printList, rowsOf } from '../../../faces/cli/print.ts';
import { pagesOf } from '../../../faces/cli/runner.ts';
import type { Terminal } from '../../../faces/cli/terminal.ts';
import { dateTime, timeOption } from '../../../faces/cli/time-option.ts';

const eventsGet = () => import('../operations/admin/events.get.ts');

const HEADINGS = ['at', 'event', 'user', 'actor', 'from', 'digest', 'reason', 'count', 'program'];

/** `tessera events` */
export function eventsCommand(terminal: Terminal): Command {
  return operationCommand(terminal, 'events', 'List the events: who did what, when, from where.')
    .option('--user <name>', 'Only those about this user.')
    .option('--since <time>', 'From then on: a date, or a duration such as PT1H.')
    .option('--json', 'As JSON.')
    .action((options) => {
      const { user } = options;
      const since =
        options.since === undefined ? undefined : timeOption('--since', options.since, 'before now');
      return withRunner(terminal, options, async (runner) => {
        const from = since && dateTime(since(await runner.now()));
        let isEmpty = true;
        const pages = pagesOf(runner, eventsGet, { query: { order: 'oldest-first', user, since: from } });
        const rows = rowsOf(pages, ({ at, kind, user, actor, from, ticket, reason, count, program }) => {
          isEmpty = false;
          return { at, event: kind, user, actor, from, digest: ticket, reason, count, program };
        });
        await printList(terminal, HEADINGS, rows, options.json === true);
        if (isEmpty && user !== undefined)
          terminal.stderr.write(
            `There is nothing about "${visible(user)}". Attempts with a name that nobody has are listed as "${maskedName(user)}".\n`,
          );
      });
    });
}
