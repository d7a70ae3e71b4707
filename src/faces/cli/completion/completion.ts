import { Argument, Command } from 'commander';
import { print } from '../print.ts';
import type { Terminal } from '../terminal.ts';
import { bashScript } from './bash.ts';
import { type CompletableProgram, completableProgram } from './completable.ts';
import { fishScript } from './fish.ts';
import { zshScript } from './zsh.ts';

const SCRIPTS: Readonly<Record<string, (program: CompletableProgram) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** `tessera completion`. It has to be given to a program that has all commands. */
export function completionCommand(terminal: Terminal): Command {
  return new Command('completion')
    .description('Print a script by which a shell completes commands and options.')
    .addArgument(new Argument('<shell>', 'The shell.').choices(Object.keys(SCRIPTS)))
    .action(async (shell: string, _options, command: Command) => {
      const script = SCRIPTS[shell] as (program: CompletableProgram) => string;
      await print(terminal, script(completableProgram(command.parent as Command, terminal.settings)));
    });
}
