import { Command } from 'commander';
import type { CheckedPart } from '../../core/domain/sign-in-source.ts';
import { type Settings, variableOf } from '../../core/settings/table.ts';
import { withSettings } from '../../faces/cli/context.ts';
import { CommandRefused } from '../../faces/cli/failure.ts';
import { withRunner, worksElsewhere } from '../../faces/cli/operation-command.ts';
import { StepPrinter } from '../../faces/cli/step-printer.ts';
import type { Terminal } from '../../faces/cli/terminal.ts';
import { loadProviders } from './load.ts';

const checkPost = () => import('./operations/admin/providers/check.post.ts');

/** The check of the providers in the document of this machine. It needs no store. */
async function checkedHere(settings: Settings, id: string | undefined): Promise<readonly CheckedPart[]> {
  const { providers: file } = settings;
  if (file === '') return [];
  const { checkProviders } = await import('./check-provider.ts');
  return checkProviders(loadProviders(file), settings, Date.now, id);
}

function checkCommand(terminal: Terminal): Command {
  const command = new Command('check').description(
    'Ask each identity provider whether sign-ins there can work.',
  );
  return worksElsewhere(withSettings(terminal, command, ['providers', 'portalUrl']))
    .argument('[id]', 'The id of one provider; all without it.')
    .action((id: string | undefined, options) =>
      withRunner(terminal, options, async ({ run, here }) => {
        const parts = here
          ? await checkedHere(here.settings, id)
          : (await run(checkPost, { query: { id } })).value.parts;
        if (parts.length === 0)
          throw new CommandRefused(
            id === undefined || here?.settings.providers === ''
              ? `There are no providers: name their document with --providers or in ${variableOf('providers')}.`
              : `The document has no provider "${id}": name one by its id.`,
          );
        await new StepPrinter(terminal).all(parts);
      }),
    );
}

/** `tessera providers` */
export function providersCommand(terminal: Terminal): Command {
  const command = new Command('providers').description('The identity providers where people sign in.');
  command.addCommand(checkCommand(terminal));
  return command;
}
