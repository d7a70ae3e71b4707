import { Command } from 'commander';
import { type Settings, variableOf } from '../../core/settings/table.ts';
import { visible } from '../../core/visible.ts';
import { settingsFor, withSettings } from '../../faces/cli/context.ts';
import { CommandRefused } from '../../faces/cli/failure.ts';
import { print } from '../../faces/cli/print.ts';
import type { Terminal } from '../../faces/cli/terminal.ts';
import type { ProviderFindings } from './check-provider.ts';
import { loadProviders, type ProviderConfiguration } from './load.ts';

/** What to register at a provider, and what the check found: one line each. */
function linesOf(
  { id, issuer, signOut }: ProviderConfiguration,
  portal: string,
  { right, wrong }: ProviderFindings,
): readonly string[] {
  return [
    `${id} (${issuer})`,
    `  register there as redirect URI: ${portal}/portal/signed-in/${id}`,
    ...(signOut ? [`  register there as post-logout redirect URI: ${portal}/portal/login`] : []),
    ...right.map((each) => `  ok     ${each}`),
    ...wrong.map((each) => `  wrong  ${each}`),
  ];
}

function providersIn({ providers: file }: Settings, id: string | undefined) {
  if (file === '')
    throw new CommandRefused(
      `There are no providers: name their document with --providers or in ${variableOf('providers')}.`,
    );
  const chosen = loadProviders(file).filter((each) => id === undefined || each.id === id);
  if (chosen.length === 0 && id !== undefined)
    throw new CommandRefused(`The document has no provider "${id}": name one by its id.`);
  return chosen;
}

function checkCommand(terminal: Terminal): Command {
  const command = new Command('check').description(
    'Ask each identity provider whether sign-ins there can work.',
  );
  return withSettings(terminal, command, ['providers', 'portalUrl'])
    .argument('[id]', 'The id of one provider; all without it.')
    .action(async (id: string | undefined, options) => {
      const { settings } = settingsFor(options, terminal);
      const { checkProvider, portalIn } = await import('./check-provider.ts');
      const portal = portalIn(settings);
      let faults = 0;
      for (const configuration of providersIn(settings, id)) {
        const findings = await checkProvider(configuration, portal, Date.now);
        faults += findings.wrong.length;
        const lines = linesOf(configuration, portal, findings);
        await print(terminal, lines.map((line) => `${visible(line)}\n`).join(''));
      }
      if (faults > 0) throw new CommandRefused('Sign-ins will fail: mend what is wrong, and check again.');
    });
}

/** `tessera providers` */
export function providersCommand(terminal: Terminal): Command {
  const command = new Command('providers').description('The identity providers where people sign in.');
  command.addCommand(checkCommand(terminal));
  return command;
}
