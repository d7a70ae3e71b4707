import { Command } from 'commander';
import { printList } from '../../faces/cli/print.ts';
import type { Terminal } from '../../faces/cli/terminal.ts';

const HEADINGS = [
  'method',
  'path',
  'authentication',
  'transaction',
  'lifecycle',
  'style',
  'default',
  'formats',
  'answers',
  'operation',
];

/** `tessera operations`: the tables of the specification, printed from the descriptors. */
export function operationsCommand(terminal: Terminal): Command {
  return new Command('operations')
    .description('List the operations with their attributes.')
    .option('--json', 'As JSON.')
    .action(async (options) => {
      // Only this command needs them, and they take a third of a command's start.
      const { operations } = await import('../operations.ts');
      const { formatsOf } = await import('../../core/representations/representation.ts');
      const rows = operations.flatMap((operation) =>
        operation.paths.map((path) => ({
          method: operation.anyRequest ? 'ANY' : operation.method,
          path: `${operation.api?.basePaths?.[0] ?? ''}${path}${operation.anyRequest ? '/…' : ''}`,
          authentication: operation.authentication,
          transaction: operation.transaction,
          lifecycle: operation.lifecycle,
          style: operation.formatStyle,
          default: operation.defaultFormat,
          formats: formatsOf(operation.output).join(','),
          answers: operation.answers ?? 200,
          operation: operation.id,
        })),
      );
      await printList(terminal, HEADINGS, [rows], options.json === true);
    });
}
