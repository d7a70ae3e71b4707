/** What was asked is refused, with the reason and the mend: exit code 1. */
export class Refused extends Error {
  override name = 'Refused';
}

/** The command was written wrongly: exit code 2. */
export class WrongUsage extends Error {
  override name = 'WrongUsage';
}

/** By name, since an error may have come from another process. */
const WRONGLY_ASKED = new Set(['WrongUsage', 'SettingsFaulty']);
const FORESEEN = new Set([
  ...WRONGLY_ASKED,
  'Refused',
  'StoreUnavailable',
  'CopyDiffers',
  'DocumentsFaulty',
  'CannotListen',
  'WorkerNotStarted',
]);

/** The exit code for an error: 2 for wrong usage and settings, 1 for everything else. */
export function exitCodeOf(error: unknown): 1 | 2 {
  return error instanceof Error && WRONGLY_ASKED.has(error.name) ? 2 : 1;
}

/** What the operator reads of an error: a sentence for what was foreseen, the stack for what was not. */
export function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (FORESEEN.has(error.name)) return error.message;
  return error.stack ?? error.message;
}
