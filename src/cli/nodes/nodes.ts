import { once } from 'node:events';
import { Command } from 'commander';
import type { Node } from '../../domain/node.ts';
import { isRefusal, messageOf } from '../../domain/refusal.ts';
import { locate } from '../../nodes/locate.ts';
import { subtree } from '../../nodes/subtree.ts';
import { onStore, settingsFor, storeCommand, type Terminal } from '../context.ts';
import { Refused } from '../failure.ts';
import { referenceIn, type Where, whereOptions } from '../node-reference.ts';
import { printList } from '../print.ts';
import { importCommand } from './import.ts';

const PAGE = 1_000;

function exportCommand(terminal: Terminal): Command {
  return storeCommand('export', 'Print every node, one JSON object a line, as import reads it.').action(
    async (options) => {
      const { settings } = settingsFor(options, terminal);
      await onStore(settings, async (store) => {
        let page: Node[] = [];
        do {
          const after = page.at(-1);
          page = await store.read((unit) => unit.nodes.page(after, PAGE));
          const lines = page.map((node) => `${JSON.stringify(node)}\n`).join('');
          if (!terminal.stdout.write(lines)) await once(terminal.stdout, 'drain');
        } while (page.length === PAGE);
      });
    },
  );
}

function showCommand(terminal: Terminal): Command {
  return whereOptions(storeCommand('show', 'Show one node.'))
    .option('--json', 'As JSON.')
    .action(async (node: string | undefined, options: Where & { json?: true }) => {
      const { settings } = settingsFor({ ...options }, terminal);
      const reference = referenceIn({ ...options, node });
      const found = await onStore(settings, (store) => store.read((unit) => locate(unit, reference)));
      if (isRefusal(found)) throw new Refused(`${messageOf(found)}.`);
      await printList(
        terminal,
        ['store', 'id', 'type', 'name', 'parent'],
        [[{ ...found }]],
        options.json === true,
      );
    });
}

function removeCommand(terminal: Terminal): Command {
  return whereOptions(storeCommand('remove', 'Remove one node.'))
    .option('--recursive', 'With everything that lies in it.')
    .action(async (node: string | undefined, options: Where & { recursive?: true }) => {
      const { settings } = settingsFor({ ...options }, terminal);
      const reference = referenceIn({ ...options, node });
      const removed = await onStore(settings, (store) =>
        store.write(async (unit) => {
          const found = await locate(unit, reference);
          if (isRefusal(found)) throw new Refused(`${messageOf(found)}.`);
          if (!options.recursive && (await unit.nodes.hasChildren(found.store, found.id))) {
            throw new Refused(`Refused: nodes lie in "${found.id}": remove them first, or give --recursive.`);
          }
          const all = await subtree(unit.nodes, found);
          for (const { store: name, id } of all) await unit.nodes.remove(name, id);
          return all.length;
        }),
      );
      terminal.stdout.write(removed === 1 ? 'Removed 1 node.\n' : `Removed ${removed} nodes.\n`);
    });
}

/** `tessera nodes` */
export function nodesCommand(terminal: Terminal): Command {
  const command = new Command('nodes').description('What action definitions are listed for.');
  for (const child of [importCommand, exportCommand, showCommand, removeCommand])
    command.addCommand(child(terminal));
  return command;
}
