import { Command } from 'commander';
import { type Group, groupKey } from '../../../../core/domain/group.ts';
import type { Store } from '../../../../core/storage/store.ts';
import { onStore, onStoreToAdd, settingsFor, storeCommand } from '../../../../faces/cli/context.ts';
import { WrongUsage } from '../../../../faces/cli/failure.ts';
import { printDetails, printList } from '../../../../faces/cli/print.ts';
import { recorded } from '../../../../faces/cli/record.ts';
import type { Terminal } from '../../../../faces/cli/terminal.ts';
import { addGroup, changeGroup, removeGroup } from '../../rules/groups.ts';
import { nothingToChange } from '../users/change.ts';
import { roleIn, roleOption } from '../users/profile-options.ts';
import { existingGroup, joinCommand, leaveCommand, membersCommand } from './members.ts';

const PAGE = 1_000;
const NAME = 'Name of the group, with or without GROUP_.';
const GIVEN_TO_MEMBERS = 'Role in administration that each member has.';

function addCommand(terminal: Terminal): Command {
  return storeCommand(terminal, 'add', 'Add a group.')
    .argument('<name>', NAME)
    .option('--display-name <text>', 'The name that people read.')
    .addOption(roleOption(GIVEN_TO_MEMBERS))
    .action(async (name: string, options) => {
      const { settings } = settingsFor(options, terminal);
      const given = { displayName: options.displayName, ...roleIn(options) };
      const { group } = await onStoreToAdd(terminal, settings, (store, clock) =>
        store.write(async (unit) => recorded(unit, clock(), await addGroup(unit, name, given))),
      );
      terminal.stdout.write(`Added the group "${group.name}".\n`);
    });
}

async function* everyGroup(store: Store, prefix: string): AsyncGenerator<Group[]> {
  for (let after: Group | undefined; ; ) {
    const page = await store.read((unit) => unit.groups.page(prefix, after, PAGE));
    yield page;
    if (page.length < PAGE) return;
    after = page.at(-1);
  }
}

function listCommand(terminal: Terminal): Command {
  return storeCommand(terminal, 'list', 'List the groups.')
    .option('--search <text>', 'Only those whose name begins with this, in any case.')
    .option('--json', 'As JSON.')
    .action(async (options) => {
      const { settings } = settingsFor(options, terminal);
      await onStore(terminal, settings, async (store) => {
        const rows = (async function* () {
          for await (const page of everyGroup(store, groupKey(options.search ?? '')))
            yield page.map(({ name, displayName, role }) => ({ name, displayName, role }));
        })();
        await printList(terminal, ['name', 'displayName', 'role'], rows, options.json === true);
      });
    });
}

function showCommand(terminal: Terminal): Command {
  return storeCommand(terminal, 'show', 'Show one group, and the groups around it.')
    .argument('<name>', NAME)
    .option('--json', 'As JSON.')
    .action(async (name: string, options) => {
      const { settings } = settingsFor(options, terminal);
      const shown = await onStore(terminal, settings, (store) =>
        store.read(async (unit) => {
          const { id, displayName, role, ...group } = await existingGroup(unit, name);
          const names = (groups: readonly Group[]) => groups.map((each) => each.name);
          return {
            name: group.name,
            displayName,
            role,
            contains: names(await unit.groups.groupsIn(id)),
            isIn: names(await unit.groups.containing(id)),
          };
        }),
      );
      await printDetails(terminal, shown, options.json === true);
    });
}

function changeCommand(terminal: Terminal): Command {
  return storeCommand(terminal, 'change', 'Change the display name or the role of a group.')
    .argument('<name>', NAME)
    .option('--display-name <text>', 'The name that people read.')
    .addOption(roleOption(GIVEN_TO_MEMBERS))
    .action(async (name: string, options) => {
      const { settings } = settingsFor(options, terminal);
      const { displayName } = options;
      const change = { ...(displayName !== undefined && { displayName }), ...roleIn(options) };
      if (Object.keys(change).length === 0) throw new WrongUsage('Give --display-name or --role.');
      const said = await onStore(terminal, settings, (store, clock) =>
        store.write(async (unit) => {
          const group = await existingGroup(unit, name);
          const { events } = await recorded(unit, clock(), await changeGroup(unit, group, change));
          return events.length === 0 ? nothingToChange(group.name) : `Changed the group "${group.name}".`;
        }),
      );
      terminal.stdout.write(`${said}\n`);
    });
}

function removeCommand(terminal: Terminal): Command {
  return storeCommand(terminal, 'remove', 'Remove a group. Its members stay.')
    .argument('<name>', NAME)
    .action(async (name: string, options) => {
      const { settings } = settingsFor(options, terminal);
      const removed = await onStore(terminal, settings, (store, clock) =>
        store.write(async (unit) => {
          const group = await existingGroup(unit, name);
          await recorded(unit, clock(), await removeGroup(unit, group));
          return group.name;
        }),
      );
      terminal.stdout.write(`Removed the group "${removed}". Its members stay.\n`);
    });
}

/** `tessera groups` */
export function groupsCommand(terminal: Terminal): Command {
  return new Command('groups')
    .description('Groups of users, and of other groups.')
    .addCommand(addCommand(terminal))
    .addCommand(listCommand(terminal))
    .addCommand(showCommand(terminal))
    .addCommand(membersCommand(terminal))
    .addCommand(joinCommand(terminal))
    .addCommand(leaveCommand(terminal))
    .addCommand(changeCommand(terminal))
    .addCommand(removeCommand(terminal));
}
