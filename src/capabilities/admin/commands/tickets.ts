import { Command } from 'commander';
import { type Lifetime, shortDigest, stateOf, type TicketOrigin } from '../../../core/domain/ticket.ts';
import { lifetimeIn } from '../../../core/settings/derived.ts';
import type { Settings } from '../../../core/settings/table.ts';
import type { ReadUnit, Store, TicketOnPage, TicketPlace } from '../../../core/storage/store.ts';
import { onStore, settingsFor, storeCommand } from '../../../faces/cli/context.ts';
import { existingUser } from '../../../faces/cli/existing-user.ts';
import { WrongUsage } from '../../../faces/cli/failure.ts';
import { type PrintedRow, printList, time } from '../../../faces/cli/print.ts';
import { record } from '../../../faces/cli/record.ts';
import type { Terminal } from '../../../faces/cli/terminal.ts';

const PAGE = 500;
export const TICKET_HEADINGS = [
  'digest',
  'user',
  'state',
  'issued',
  'used',
  'from',
  'program',
  'appPassword',
  'tokenProvider',
];

/** A ticket on a page, and where it was issued. */
type TicketInList = TicketOnPage & { readonly origin: TicketOrigin | undefined };

function rowOf(
  { ticket, user, origin }: TicketInList,
  serverGeneration: number,
  lifetime: Lifetime,
  now: number,
): PrintedRow {
  return {
    digest: shortDigest(ticket.digest),
    user: user?.name,
    state: stateOf({ ticket, user, serverGeneration }, now, lifetime),
    issued: time(ticket.issuedAt),
    used: time(ticket.usedAt),
    from: origin?.from,
    program: origin?.program,
    appPassword: origin?.appPassword,
    tokenProvider: origin?.tokenProvider,
  };
}

async function withOrigins({ tickets }: ReadUnit, page: readonly TicketOnPage[]): Promise<TicketInList[]> {
  const origins = await tickets.originsOf(page.map(({ ticket }) => ticket));
  return page.map((row, index) => ({ ...row, origin: origins[index] }));
}

async function* everyTicket(store: Store): AsyncGenerator<TicketInList[]> {
  let after: TicketPlace | undefined;
  for (;;) {
    const page = await store.read(async (unit) => withOrigins(unit, await unit.tickets.page(after, PAGE)));
    yield page;
    if (page.length < PAGE) return;
    after = page.at(-1)?.ticket;
  }
}

async function* ticketsOf(store: Store, name: string, settings: Settings): AsyncGenerator<TicketInList[]> {
  yield await store.read(async (unit) => {
    const user = await existingUser(unit, name, settings);
    const tickets = await unit.tickets.listOf(user.id);
    return withOrigins(
      unit,
      tickets.map((ticket) => ({ ticket, user })),
    );
  });
}

function listCommand(terminal: Terminal): Command {
  return storeCommand(
    terminal,
    'list',
    'List the tickets that are kept, by the first digits of their digest.',
  )
    .option('--user <name>', 'Only those of this user.')
    .option('--json', 'As JSON.')
    .action(async (options) => {
      const { settings } = settingsFor(options, terminal);
      const lifetime = lifetimeIn(settings);
      await onStore(terminal, settings, async (store, clock) => {
        const generation = await store.read((unit) => unit.tickets.serverGeneration());
        const pages =
          options.user === undefined ? everyTicket(store) : ticketsOf(store, options.user, settings);
        const rows = (async function* () {
          for await (const page of pages)
            yield page.map((ticket) => rowOf(ticket, generation, lifetime, clock()));
        })();
        await printList(terminal, TICKET_HEADINGS, rows, options.json === true);
      });
    });
}

function revokeCommand(terminal: Terminal): Command {
  return storeCommand(terminal, 'revoke', 'End tickets, for the next request on.')
    .option('--user <name>', 'Those of this user.')
    .option('--all', 'Those of every user.')
    .action(async (options) => {
      if ((options.user === undefined) === (options.all !== true))
        throw new WrongUsage('Give --user NAME or --all.');
      const { settings } = settingsFor(options, terminal);
      const said = await onStore(terminal, settings, (store, clock) =>
        store.write(async (unit) => {
          if (options.all) {
            await unit.tickets.raiseServerGeneration();
            await record(unit, clock(), { kind: 'tickets-revoked', reason: 'all' });
            return 'Every ticket has ended.';
          }
          const user = await existingUser(unit, options.user, settings);
          await unit.users.change(user.id, { generation: user.generation + 1 });
          await record(unit, clock(), { kind: 'tickets-revoked', user: user.name });
          return `The tickets of "${user.name}" have ended.`;
        }),
      );
      terminal.stdout.write(`${said}\n`);
    });
}

/** `tessera tickets` */
export function ticketsCommand(terminal: Terminal): Command {
  return new Command('tickets')
    .description('The tickets that logins have issued.')
    .addCommand(listCommand(terminal))
    .addCommand(revokeCommand(terminal));
}
