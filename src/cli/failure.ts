import { visible, visibleLines } from '../visible.ts';

/** What was asked is refused, with the reason and the mend: exit code 1. */
export class CommandRefused extends Error {
  override name = 'Refused';
}

/** The command was written wrongly: exit code 2. */
export class WrongUsage extends Error {
  override name = 'WrongUsage';
}

/** By name, since an error may have come from another process. */
const WRONGLY_ASKED = new Set(['WrongUsage', 'SettingsFaulty']);
/** Their messages have several lines, such as one for each fault. */
const OF_SEVERAL_LINES = new Set(['SettingsFaulty', 'DocumentsFaulty', 'ServiceNotStarted']);
const FORESEEN = new Set([
  ...WRONGLY_ASKED,
  'Refused',
  'StoreUnavailable',
  'CopyDiffers',
  'DocumentsFaulty',
  'CannotListen',
  'WorkerNotStarted',
  'ServiceNotStarted',
]);

/** The exit code for an error: 2 for wrong usage and settings, 1 for everything else. */
export function exitCodeOf(error: unknown): 1 | 2 {
  return error instanceof Error && WRONGLY_ASKED.has(error.name) ? 2 : 1;
}

/**
 * What the operator reads of an error: a sentence for what was foreseen, the stack for what was not. Text that was given
 * may stand in either, so no control character is left in it.
 */
export function textOf(error: unknown): string {
  if (!(error instanceof Error)) return visible(String(error));
  if (!FORESEEN.has(error.name)) return visibleLines(error.stack ?? error.message);
  return OF_SEVERAL_LINES.has(error.name) ? visibleLines(error.message) : visible(error.message);
}

/** What commander says of wrong usage: a message, a hint at names that are alike, and a line feed. */
const OF_COMMANDER = /^(?<message>.*?)(?<hint>\n\(Did you mean [^\n]*\?\))?\n$/s;

/** What commander says of wrong usage, without values that were given: a password may be among them. */
export function usageText(text: string): string {
  const { message = text, hint = '' } = OF_COMMANDER.exec(text)?.groups ?? {};
  const withoutValues = message
    .replace(/^(error: unknown option '[^'=]*)=.*'/s, "$1'")
    .replace(/^(error: too many arguments.* but got \d+): .*\.$/s, '$1.');
  return `${visible(withoutValues)}${hint}\n`;
}
