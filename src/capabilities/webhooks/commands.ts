import { Command } from 'commander';
import { type Settings, variableOf } from '../../core/settings/table.ts';
import { visible } from '../../core/visible.ts';
import { settingsFor, withSettings } from '../../faces/cli/context.ts';
import { CommandRefused } from '../../faces/cli/failure.ts';
import { operationCommand, withRunner } from '../../faces/cli/operation-command.ts';
import { type PrintedRow, print, printList } from '../../faces/cli/print.ts';
import type { Terminal } from '../../faces/cli/terminal.ts';
import { dateTime, timeOption } from '../../faces/cli/time-option.ts';
import type { WebhookAnswer } from './client.ts';
import { loadReceivers } from './load.ts';
import type { outboxJson } from './operations/admin/webhooks.get.ts';

const webhooksGet = () => import('./operations/admin/webhooks.get.ts');
const replayPost = () => import('./operations/admin/webhooks/replay.post.ts');

/** The columns about how far a receiver is behind. */
export const OUTBOX_HEADINGS = ['waiting', 'oldest', 'dead', 'delivered', 'lastFault', 'faultAt'];

/** The row of these columns for a receiver that administration shows. */
export function outboxRow(shown: Partial<ReturnType<typeof outboxJson>>): PrintedRow {
  const { waiting, oldestAt: oldest, dead, deliveredAt: delivered, lastFault, lastFaultAt: faultAt } = shown;
  return { waiting, oldest, dead, delivered, lastFault, faultAt };
}

function listCommand(terminal: Terminal): Command {
  return operationCommand(
    terminal,
    'list',
    'List the receivers: their waiting and dead deliveries, and when the last one was made or failed.',
  )
    .option('--json', 'As JSON.')
    .action((options) =>
      withRunner(terminal, options, async ({ run }) => {
        const rows = (await run(webhooksGet, {})).value.items.map(({ id, goneAt, ...outbox }) => {
          const state = goneAt === undefined ? 'on' : `gone since ${goneAt}`;
          return { id, state, ...outboxRow(outbox) };
        });
        await printList(terminal, ['id', 'state', ...OUTBOX_HEADINGS], [rows], options.json === true);
      }),
    );
}

function receiverIn({ webhooks: file }: Settings, id: string) {
  if (file === '')
    throw new CommandRefused(
      `There are no webhooks: name their document with --webhooks or in ${variableOf('webhooks')}.`,
    );
  const receiver = loadReceivers(file).find((each) => each.id === id);
  if (receiver === undefined)
    throw new CommandRefused(`The document has no receiver "${visible(id)}": name one by its id.`);
  return receiver;
}

/** What to do about an answer that is no success. */
function mendOf({ status }: WebhookAnswer): string {
  if (status === undefined) return 'see that its address is right, and that this machine may reach it';
  if (status === 401 || status === 403)
    return 'see that it has the same secret, that its clock is right, and that nothing before it asks for a password';
  if (status === 404 || status === 405) return 'see that the path of its address is right';
  if (status === 410) return 'it wants no webhooks: remove it from the document, or set it up to take them';
  if (status >= 300 && status <= 399) return 'write the address of that redirection into the document';
  return 'look into the log of the receiver';
}

function testCommand(terminal: Terminal): Command {
  const command = new Command('test').description('Send a receiver a test message, and tell its answer.');
  return withSettings(terminal, command, ['webhooks'])
    .argument('<id>', 'The id of the receiver.')
    .action(async (id: string, options) => {
      const { settings } = settingsFor(options, terminal);
      const receiver = receiverIn(settings, id);
      const { WebhookClient } = await import('./client.ts');
      const { testMessage } = await import('./message.ts');
      const client = new WebhookClient(receiver, 1, Date.now);
      const answer = await client.send(testMessage(Date.now()));
      client.close();
      if (answer.fault !== undefined)
        throw new CommandRefused(`"${id}" did not take it: ${answer.fault}. Mend: ${mendOf(answer)}.`);
      await print(terminal, `"${id}" took it: answered ${answer.status}.\n`);
    });
}

/** The lines about a receiver that was gone. It has no deliveries of the events since then: only `--since` adds them. */
function resumed(id: string, goneAt: string, since: number | undefined): string {
  const again = `"${id}" gets new events again: it had answered 410.\n`;
  if (since !== undefined && since <= Date.parse(goneAt)) return again;
  const command = `tessera webhooks replay ${id} --since ${goneAt}`;
  return `${again}Events that happened meanwhile are not among these. Bring them with\n  ${command}\n`;
}

function replayCommand(terminal: Terminal): Command {
  return operationCommand(terminal, 'replay', 'Make the waiting and dead deliveries of a receiver now.')
    .argument('<id>', 'The id of the receiver.')
    .option('--dead', 'Only dead deliveries, which were given up.')
    .option(
      '--since <time>',
      'Every event from then on, delivered or not: a date, or a duration such as PT1H.',
    )
    .action((id: string, options) => {
      const which = options.dead === true ? 'dead' : 'all';
      const sinceAt =
        options.since === undefined ? undefined : timeOption('--since', options.since, 'before now');
      return withRunner(terminal, options, async ({ run, now }) => {
        const from = sinceAt?.(await now());
        const since = from === undefined ? undefined : dateTime(from);
        const receiver_not_found = `There is no receiver "${visible(id)}": 'tessera webhooks list' names all.`;
        const replay = async (cursor?: string) =>
          (await run(replayPost, { path: { id }, body: { which, since, cursor } }, { receiver_not_found }))
            .value;
        let { count, next, goneAt } = await replay();
        while (next !== undefined) {
          const page = await replay(next);
          count += page.count;
          next = page.next;
        }
        const delivers = `The service delivers ${count} events to "${id}" now.\n`;
        await print(terminal, goneAt === undefined ? delivers : delivers + resumed(id, goneAt, from));
      });
    });
}

/** `tessera webhooks` */
export function webhooksCommand(terminal: Terminal): Command {
  const command = new Command('webhooks').description('The receivers that events are delivered to.');
  for (const each of [listCommand, testCommand, replayCommand]) command.addCommand(each(terminal));
  return command;
}
