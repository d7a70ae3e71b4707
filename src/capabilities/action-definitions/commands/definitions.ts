import { Command } from 'commander';
import { isRefusal, messageOf } from '../../../core/domain/refusal.ts';
import type { Settings } from '../../../core/settings/table.ts';
import { visible, visibleLines } from '../../../core/visible.ts';
import { onStore, settingsFor, storeCommand } from '../../../faces/cli/context.ts';
import { CommandRefused, WrongUsage } from '../../../faces/cli/failure.ts';
import { printList } from '../../../faces/cli/print.ts';
import type { Terminal } from '../../../faces/cli/terminal.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { DefinitionsDocument } from '../catalogue/document.ts';
import { documentsAt, loadCatalogue } from '../catalogue/load.ts';
import { inLanguage } from '../domain/label.ts';
import { locate } from '../nodes/locate.ts';
import { referenceIn, type Where } from './node-reference.ts';

function catalogueFor({ definitions, definitionsGeneration: generation, model }: Settings): Catalogue {
  return loadCatalogue({ definitions, generation, model });
}

/** A command that reads the catalogue, and perhaps the store. */
const catalogueCommand = (terminal: Terminal, name: string, description: string) =>
  storeCommand(terminal, name, description, 'definitions', 'definitionsGeneration', 'model');

function checkCommand(terminal: Terminal): Command {
  return catalogueCommand(
    terminal,
    'check',
    'Check a document of action definitions, or all of a folder together.',
  )
    .argument('<path>', 'The document, or the folder.')
    .action(async (path: string, options) => {
      if (path === '') throw new WrongUsage('There is no document to check: give its path.');
      const { settings } = settingsFor(options, terminal);
      const { model } = catalogueFor({ ...settings, definitions: path });
      const documents = documentsAt(path, DefinitionsDocument);
      const definitions = documents.flatMap(({ value }) => value.definitions);
      const named = definitions.flatMap(({ name, applicableTypes }) =>
        applicableTypes.map((type) => ({ name, type })),
      );
      for (const { name, type } of named.filter(({ type }) => !model.has(type))) {
        terminal.stderr.write(
          `${visible(`note: "${name}" names the type ${type}, which is not in the model: it matches no node`)}\n`,
        );
      }
      terminal.stdout.write(`${visible(path)}: ${definitions.length} action definitions, no fault.\n`);
    });
}

function listCommand(terminal: Terminal): Command {
  return catalogueCommand(
    terminal,
    'list',
    'List the action definitions, all of them or those that apply to one node.',
  )
    .option('--node <node>', 'Store and id, such as workspace://SpacesStore/company-home.')
    .option('--path <path>', "Names from the root, such as 'Company Home/Sites'.")
    .option('--store <store>', 'Store of the path.')
    .option('--json', 'As JSON.')
    .action(async (options: Where & { json?: true }) => {
      const { settings } = settingsFor({ ...options }, terminal);
      const catalogue = catalogueFor(settings);
      const scoped = (options.node ?? options.path ?? options.store) !== undefined;
      const definitions = scoped
        ? catalogue.applyingTo(await typeOf(terminal, settings, options))
        : catalogue.definitions;
      const rows = definitions.map(({ name, title, applicableTypes, parameters, language }) => ({
        name,
        title: inLanguage(title, language),
        types: applicableTypes.join(',') || 'every type',
        parameters: parameters.length,
      }));
      await printList(terminal, ['name', 'types', 'parameters', 'title'], [rows], options.json === true);
    });
}

async function typeOf(terminal: Terminal, settings: Settings, where: Where): Promise<string> {
  const node = await onStore(terminal, settings, (store) =>
    store.read((unit) => locate(unit, referenceIn(where))),
  );
  if (isRefusal(node)) throw new CommandRefused(`${messageOf(node)}.`);
  return node.type;
}

function showCommand(terminal: Terminal): Command {
  return catalogueCommand(terminal, 'show', 'Show one action definition, as a document has it.')
    .argument('<name>', 'Its name.')
    .action(async (name: string, options) => {
      const definition = catalogueFor(settingsFor(options, terminal).settings).find(name);
      if (definition === undefined)
        throw new CommandRefused(`There is no action definition "${name}": see 'tessera definitions list'.`);
      // A document gives the language and the allowed values once, for all its definitions.
      const { language: _, ...own } = definition;
      const view = { ...own, parameters: own.parameters.map(({ allowed: _, ...parameter }) => parameter) };
      terminal.stdout.write(`${visibleLines(JSON.stringify(view, undefined, 2))}\n`);
    });
}

/** `tessera definitions` */
export function definitionsCommand(terminal: Terminal): Command {
  const command = new Command('definitions').description('The actions that can be run.');
  for (const child of [checkCommand, listCommand, showCommand]) command.addCommand(child(terminal));
  return command;
}
