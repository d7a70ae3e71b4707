import type { Account } from '../../../conformance/player/run.ts';
import { WrongUsage } from '../../faces/cli/failure.ts';
import { answerTo, passwordIn, passwordOn } from '../../faces/cli/password.ts';
import type { Terminal } from '../../faces/cli/terminal.ts';

/** The options that name the accounts. */
export interface AccountOptions {
  readonly user: string;
  readonly passwordFile?: string;
  readonly passwordStdin?: true;
  readonly otherUser?: string;
  readonly otherPasswordFile?: string;
}

/** The account of the run. Its password comes from a file, from standard input, or from a prompt on a terminal. */
export async function accountIn(
  { user, passwordFile, passwordStdin }: AccountOptions,
  terminal: Terminal,
): Promise<Account> {
  if (passwordFile !== undefined && passwordStdin)
    throw new WrongUsage('Give the password by --password-file or by --password-stdin, not by both.');
  if (passwordFile !== undefined) return { user, password: passwordIn(passwordFile, '--password-file') };
  if (passwordStdin) return { user, password: await passwordOn(terminal) };
  if (!terminal.stdin.isTTY)
    throw new WrongUsage(
      'There is no terminal to ask for the password: give it by --password-file FILE, or on standard input with --password-stdin.',
    );
  return { user, password: await answerTo(`Password of ${user}: `, terminal) };
}

/** The second account; undefined when the options name none. */
export function otherIn({ otherUser, otherPasswordFile }: AccountOptions): Account | undefined {
  if (otherUser === undefined && otherPasswordFile === undefined) return undefined;
  if (otherUser === undefined || otherPasswordFile === undefined)
    throw new WrongUsage('--other-user and --other-password-file go together.');
  return { user: otherUser, password: passwordIn(otherPasswordFile, '--other-password-file') };
}
