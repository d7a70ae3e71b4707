import { Command } from 'commander';
import { type Settings, variableOf } from '../../core/settings/table.ts';
import type { Store } from '../../core/storage/store.ts';
import { visible } from '../../core/visible.ts';
import { onStore, settingsFor, storeCommand, withSettings } from '../../faces/cli/context.ts';
import { CommandRefused } from '../../faces/cli/failure.ts';
import { print, printList, time } from '../../faces/cli/print.ts';
import type { Terminal } from '../../faces/cli/terminal.ts';
import { timeOption } from '../../faces/cli/time-option.ts';
import type { WebhookAnswer } from './client.ts';
import { loadReceivers } from './load.ts';
import type { WebhookState } from './tables/webhooks.ts';

const HEADINGS = ['id', 'state', 'waiting', 'oldest', 'dead', 'lastFault', 'faultAt'];
/** How many events are added again in one transaction. */
const PAGE = 500;

const rowOf = ({ id, goneAt, waiting, oldestAt, dead, lastFault }: WebhookState) => ({
  id,
  state: goneAt === undefined ? 'on' : `gone since ${time(goneAt)}`,
  waiting,
  oldest: oldestAt && time(oldestAt),
  dead,
  lastFault: lastFault?.why,
  faultAt: lastFault && time(lastFault.at),
});

function listCommand(terminal: Terminal): Command {
  return storeCommand(
    terminal,
    'list',
    'List the receivers: their waiting and dead deliveries, and the last fault of each.',
  )
    .option('--json', 'As JSON.')
    .action(async (options) => {
      const { settings } = settingsFor(options, terminal);
      const states = await onStore(terminal, settings, (store) =>
        store.read(({ webhooks }) => webhooks.list()),
      );
      await printList(terminal, HEADINGS, [states.map(rowOf)], options.json === true);
    });
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

interface Replay {
  readonly since: number | undefined;
  readonly which: 'dead' | 'all';
}

/** The outcome of a replay: how many events are due now, and since when the receiver was gone before, if it was. */
interface Replayed {
  readonly count: number;
  readonly goneAt: number | undefined;
}

/** Makes deliveries due now, and adds those of past events. A receiver that was gone gets events again. */
async function replay(store: Store, id: string, now: number, { since, which }: Replay): Promise<Replayed> {
  const receiver = (await store.read(({ webhooks }) => webhooks.list())).find((each) => each.id === id);
  if (receiver === undefined)
    throw new CommandRefused(`There is no receiver "${visible(id)}": 'tessera webhooks list' names all.`);
  const again = await store.write(async ({ webhooks }) => {
    await webhooks.resume(id);
    return webhooks.retry(id, which, now);
  });
  const count = since === undefined ? again : await enqueueSince(store, receiver, since, now);
  return { count, goneAt: receiver.goneAt };
}

async function enqueueSince(store: Store, { id, kinds }: WebhookState, since: number, now: number) {
  let added = 0;
  for (let after = {}; ; ) {
    const page = await store.read(({ events }) => events.list({ since, ...after, limit: PAGE }));
    const matching = page.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind));
    await store.write(({ webhooks }) => webhooks.enqueue(id, matching, now));
    added += matching.length;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return added;
    after = { after: last };
  }
}

/** The lines about a receiver that was gone. It has no deliveries of the events since then: only `--since` adds them. */
function resumed(id: string, goneAt: number, since: number | undefined): string {
  const again = `"${id}" gets new events again: it had answered 410.\n`;
  if (since !== undefined && since <= goneAt) return again;
  const command = `tessera webhooks replay ${id} --since ${time(goneAt)}`;
  return `${again}Events that happened meanwhile are not among these. Bring them with\n  ${command}\n`;
}

function replayCommand(terminal: Terminal): Command {
  return storeCommand(terminal, 'replay', 'Make the waiting and dead deliveries of a receiver now.')
    .argument('<id>', 'The id of the receiver.')
    .option('--dead', 'Only dead deliveries, which were given up.')
    .option(
      '--since <time>',
      'Every event from then on, delivered or not: a date, or a duration such as PT1H.',
    )
    .action(async (id: string, options) => {
      const { settings } = settingsFor(options, terminal);
      const since =
        options.since === undefined ? undefined : timeOption('--since', options.since, 'before now');
      const which = options.dead === true ? 'dead' : 'all';
      const { count, goneAt, from } = await onStore(terminal, settings, async (store, clock) => {
        const from = since?.(clock());
        return { from, ...(await replay(store, id, clock(), { since: from, which })) };
      });
      const delivers = `The service delivers ${count} events to "${id}" now.\n`;
      await print(terminal, goneAt === undefined ? delivers : delivers + resumed(id, goneAt, from));
    });
}

/** `tessera webhooks` */
export function webhooksCommand(terminal: Terminal): Command {
  const command = new Command('webhooks').description('The receivers that events are delivered to.');
  for (const each of [listCommand, testCommand, replayCommand]) command.addCommand(each(terminal));
  return command;
}
