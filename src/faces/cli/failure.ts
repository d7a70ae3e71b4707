import { visible, visibleLines } from '../../core/visible.ts';

/** The command is refused, for a reason that names the mend: exit code 1. */
export class CommandRefused extends Error {
  override name = 'Refused';
}

/** The command line is wrong: exit code 2. */
export class WrongUsage extends Error {
  override name = 'WrongUsage';
}

/** A dry run found something to change: exit code 3. */
export class ChangesPending extends Error {
  override name = 'ChangesPending';
}

/** By name: an error may come from another process. */
const WRONGLY_ASKED = new Set(['WrongUsage', 'SettingsFaulty']);
/** Errors whose messages may have several lines, such as one for each fault. */
const OF_SEVERAL_LINES = new Set(['SettingsFaulty', 'DocumentsFaulty', 'ServiceNotStarted']);
const FORESEEN = new Set([
  ...WRONGLY_ASKED,
  'Refused',
  'ChangesPending',
  'StoreUnavailable',
  'CopyDiffers',
  'DocumentsFaulty',
  'CannotListen',
  'WorkerNotStarted',
  'ServiceNotStarted',
]);

/** The exit code for an error: 2 for wrong usage and wrong settings, 3 for pending changes, 1 for all others. */
export function exitCodeOf(error: unknown): 1 | 2 | 3 {
  if (error instanceof ChangesPending) return 3;
  return error instanceof Error && WRONGLY_ASKED.has(error.name) ? 2 : 1;
}

/**
 * The text for the operator: the message of an expected error, the stack of an unexpected one. It has no control
 * characters, since either may repeat given text.
 */
export function textOf(error: unknown): string {
  if (!(error instanceof Error)) return visible(String(error));
  if (!FORESEEN.has(error.name)) return visibleLines(error.stack ?? error.message);
  return OF_SEVERAL_LINES.has(error.name) ? visibleLines(error.message) : visible(error.message);
}

/** The form of commander's messages: a message, a hint at similar names, and a line feed. */
const OF_COMMANDER = /^(?<message>.*?)(?<hint>\n\(Did you mean [^\n]*\?\))?\n$/s;

/** Commander's message without the given values: a password may be among them. */
export function usageText(text: string): string {
  const { message = text, hint = '' } = OF_COMMANDER.exec(text)?.groups ?? {};
  const withoutValues = message
    .replace(/^(error: unknown option '[^'=]*)=.*'/s, "$1'")
    .replace(/^(error: too many arguments.* but got \d+): .*\.$/s, '$1.');
  return `${visible(withoutValues)}${hint}\n`;
}
