import { Command } from 'commander';
import type { Terminal } from '../../faces/cli/terminal.ts';
import { VERDICTS } from './report.ts';
import type { ConformanceOptions } from './run.ts';

/** `tessera conformance` */
export function conformanceCommand(terminal: Terminal): Command {
  const legend = Object.entries(VERDICTS).map(([verdict, meaning]) => `  ${verdict.padEnd(10)} ${meaning}`);
  return new Command('conformance')
    .description('Play the published cases of the API against a server, this one or another.')
    .argument('<url>', 'Its base URL, such as https://host/alfresco/service.')
    .requiredOption('--user <name>', 'An account that cases log in with: take one made for that.')
    .option('--password-file <file>', 'File that holds its password.')
    .option('--password-stdin', 'Read its password from standard input.')
    .option('--other-user <name>', 'A second account, whose tickets are none of the first one’s.')
    .option('--other-password-file <file>', 'File that holds the password of that.')
    .option('--guest <name>', 'A user without a password.')
    .option('--node <node>', 'A node that is there.', 'workspace://SpacesStore/company-home')
    .option('--path <path>', 'A path that is there.', 'workspace://SpacesStore/Company Home')
    .option('--v1 <url>', 'Where its v1 API is (default: /alfresco/api/-default-/public there).')
    .option('--cases <folder>', 'Cases of your own, in place of the published ones.')
    .option('--only <text>', 'Only cases whose name holds this.')
    .option(
      '--strict',
      'Also refuse what differs where Tessera departs from the reference or goes beyond it.',
    )
    .option('--json', 'As JSON.')
    .addHelpText('after', `\nResults:\n${legend.join('\n')}`)
    .action(async (address: string, options: ConformanceOptions) => {
      // Loads the player and its schemas only for this command, so that others start sooner.
      const { runConformance } = await import('./run.ts');
      return runConformance(address, options, terminal);
    });
}
