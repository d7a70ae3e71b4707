import { Command } from 'commander';
import { forgetCodes } from '../../../core/identity/code-guesses.ts';
import { throttleKeyFor } from '../../../core/identity/throttle-key.ts';
import { onStore, settingsFor, storeCommand } from '../../../faces/cli/context.ts';
import { existingUser } from '../../../faces/cli/existing-user.ts';
import { recorded } from '../../../faces/cli/record.ts';
import type { Terminal } from '../../../faces/cli/terminal.ts';
import { resetSecondFactors } from '../rules/second-factors.ts';

/** The output of `users second-factor reset`. */
export const sayReset = (user: string): string =>
  `Removed all second factors of "${user}". The password alone signs in now.\n`;

function resetCommand(terminal: Terminal): Command {
  return storeCommand(
    terminal,
    'reset',
    'Remove all second factors of a user, such as after the loss of a phone.',
  )
    .argument('<user>', 'User name.')
    .action(async (name: string, options) => {
      const { settings } = settingsFor(options, terminal);
      const user = await onStore(terminal, settings, (store, clock) =>
        store.write(async (unit) => {
          const found = await existingUser(unit, name, settings);
          const reset = await resetSecondFactors(unit, found, (unit, key) =>
            forgetCodes(unit, throttleKeyFor(settings, 'command'), key),
          );
          await recorded(unit, clock(), reset);
          return found.name;
        }),
      );
      terminal.stdout.write(sayReset(user));
    });
}

/** `tessera users second-factor` */
export function secondFactorCommand(terminal: Terminal): Command {
  return new Command('second-factor')
    .description('The second factors of a user: authenticator app, passkeys, recovery codes.')
    .addCommand(resetCommand(terminal));
}
