import { setTimeout as pause } from 'node:timers/promises';
import { Command } from 'commander';
import { isRefusal, messageOf } from '../../../../core/domain/refusal.ts';
import type { Store } from '../../../../core/storage/store.ts';
import { visible } from '../../../../core/visible.ts';
import { onStore, settingsFor, storeCommand } from '../../../../faces/cli/context.ts';
import { CommandRefused } from '../../../../faces/cli/failure.ts';
import { print, printList } from '../../../../faces/cli/print.ts';
import type { Terminal } from '../../../../faces/cli/terminal.ts';
import type { Node, NodeReference } from '../../domain/node.ts';
import { locate } from '../../nodes/locate.ts';
import { removeNodes, subtree } from '../../nodes/remove.ts';
import { referenceIn, type Where, whereOptions } from '../node-reference.ts';
import { importCommand } from './import.ts';

const PAGE = 1_000;

function exportCommand(terminal: Terminal): Command {
  return storeCommand(
    terminal,
    'export',
    'Print every node, one JSON object a line, as import reads it.',
  ).action(async (options) => {
    const { settings } = settingsFor(options, terminal);
    await onStore(terminal, settings, async (store) => {
      let page: Node[] = [];
      do {
        const after = page.at(-1);
        page = await store.read((unit) => unit.nodes.page(after, PAGE));
        const lines = page.map((node) => `${visible(JSON.stringify(node))}\n`).join('');
        if (!(await print(terminal, lines))) return;
      } while (page.length === PAGE);
    });
  });
}

function showCommand(terminal: Terminal): Command {
  return whereOptions(storeCommand(terminal, 'show', 'Show one node.'))
    .option('--json', 'As JSON.')
    .action(async (node: string | undefined, options: Where & { json?: true }) => {
      const { settings } = settingsFor({ ...options }, terminal);
      const reference = referenceIn({ ...options, node });
      const found = await onStore(terminal, settings, (store) =>
        store.read((unit) => locate(unit, reference)),
      );
      if (isRefusal(found)) throw new CommandRefused(`${messageOf(found)}.`);
      await printList(
        terminal,
        ['store', 'id', 'type', 'name', 'parent'],
        [[{ ...found }]],
        options.json === true,
      );
    });
}

/** Nodes to remove in one transaction: other writers wait meanwhile. */
const BATCH = 1_000;
/** Milliseconds between two batches. Waiting writers try again within 50. */
const REST = 60;

/** The nodes to remove, children before their parents. */
async function toRemove(store: Store, reference: NodeReference, recursive: boolean): Promise<Node[]> {
  return store.read(async (unit) => {
    const found = await locate(unit, reference);
    if (isRefusal(found)) throw new CommandRefused(`${messageOf(found)}.`);
    if (recursive) return subtree(unit.nodes, found);
    if (await unit.nodes.hasChildren(found.store, found.id))
      throw new CommandRefused(
        `Refused: nodes lie in "${found.id}": remove them first, or give --recursive.`,
      );
    return [found];
  });
}

/**
 * Removes a node, and with `recursive` everything below it. Returns the number of removed nodes. Throws {@link
 * CommandRefused} if nodes lie in it that were not meant to go, even if they came there meanwhile.
 */
export async function removeFrom(
  store: Store,
  reference: NodeReference,
  recursive: boolean,
): Promise<number> {
  const nodes = await toRemove(store, reference, recursive);
  for (let from = 0; from < nodes.length; from += BATCH) {
    if (from > 0) await pause(REST);
    await store.write(async ({ nodes: target }) => {
      const fault = await removeNodes(target, nodes.at(-1) as Node, nodes.slice(from, from + BATCH));
      if (fault !== undefined) throw new CommandRefused(`Stopped: ${fault}. Give the command again.`);
    });
  }
  return nodes.length;
}

function removeCommand(terminal: Terminal): Command {
  return whereOptions(storeCommand(terminal, 'remove', 'Remove one node.'))
    .option('--recursive', 'Also remove everything that lies in it.')
    .action(async (node: string | undefined, options: Where & { recursive?: true }) => {
      const { settings } = settingsFor({ ...options }, terminal);
      const reference = referenceIn({ ...options, node });
      const removed = await onStore(terminal, settings, (store) =>
        removeFrom(store, reference, options.recursive === true),
      );
      terminal.stdout.write(removed === 1 ? 'Removed 1 node.\n' : `Removed ${removed} nodes.\n`);
    });
}

/** `tessera nodes` */
export function nodesCommand(terminal: Terminal): Command {
  const command = new Command('nodes').description('The nodes that action definitions apply to.');
  for (const child of [importCommand, exportCommand, showCommand, removeCommand])
    command.addCommand(child(terminal));
  return command;
}
