import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { oneLine, secretOf, textIn } from '../../core/settings/given.ts';
import { CommandRefused, WrongUsage } from './failure.ts';
import type { Runner } from './runner.ts';
import type { Terminal } from './terminal.ts';

/** The help for `--permanent` of the commands that set a password. */
export const PERMANENT = 'The user keeps this password. Left out, the sign-in page asks for a new one.';

/** The typed text. Throws if Node replaced bytes that are not UTF-8: the text would be another one. */
function unbroken(typed: string): string {
  if (typed.includes('\ufffd'))
    throw new CommandRefused('Refused: the typed text is not UTF-8: set the terminal to it.');
  return typed;
}

/** Asks for a password on the terminal, once. The typed text is not shown. */
export async function answerTo(question: string, { stdin, stderr }: Terminal): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silent, terminal: true });
  // Written only now, when the typed text is no longer echoed.
  stderr.write(question);
  try {
    return unbroken(await lines.question(''));
  } catch (error) {
    if (error instanceof CommandRefused) throw error;
    throw new CommandRefused('Refused: no password was given. Nothing was changed.');
  } finally {
    lines.close();
    stderr.write('\n');
  }
}

/** The password on standard input: one line. */
export async function passwordOn({ stdin }: Terminal): Promise<string> {
  try {
    return oneLine(textIn(await buffer(stdin)));
  } catch (error) {
    throw new CommandRefused(`Refused: the password cannot be read: ${(error as Error).message}.`);
  }
}

/** The password in the file that a flag names. */
export function passwordIn(file: string, flag: string): string {
  try {
    return secretOf({ from: flag, file });
  } catch (error) {
    throw new WrongUsage(`${flag}: ${(error as Error).message}`);
  }
}

/**
 * A new password for the user with this name, from standard input, or asked for twice on a terminal. It passes the rules, unless a
 * service elsewhere judges it.
 */
export async function newPassword(
  name: string,
  fromStdin: boolean,
  { faultOfPassword }: Pick<Runner, 'faultOfPassword'>,
  terminal: Terminal,
): Promise<string> {
  if (!fromStdin && !terminal.stdin.isTTY) {
    throw new WrongUsage(
      'There is no terminal to ask for the password: give it on standard input, with --password-stdin.',
    );
  }
  const password = fromStdin ? await passwordOn(terminal) : await answerTo('Password: ', terminal);
  const fault = await faultOfPassword(name, password);
  if (fault !== undefined) throw new CommandRefused(`Refused: ${fault}.`);
  if (!fromStdin && (await answerTo('Once more: ', terminal)) !== password)
    throw new CommandRefused('Refused: the two passwords differ. Nothing was changed.');
  return password;
}
