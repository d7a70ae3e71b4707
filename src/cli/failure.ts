import { CatalogueFaulty } from '../catalogue/read-document.ts';
import { SettingsFaulty } from '../settings/read.ts';
import { StoreUnavailable } from '../storage/store.ts';

/** What was asked is refused, with the reason and the mend: exit code 1. */
export class Refused extends Error {
  override name = 'Refused';
}

/** The command was written wrongly: exit code 2. */
export class WrongUsage extends Error {
  override name = 'WrongUsage';
}

/** The exit code for an error: 2 for wrong usage and settings, 1 for everything else. */
export function exitCodeOf(error: unknown): 1 | 2 {
  return error instanceof WrongUsage || error instanceof SettingsFaulty ? 2 : 1;
}

/** What the operator reads of an error: a sentence for what was foreseen, the stack for what was not. */
export function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const foreseen = error instanceof Refused || error instanceof WrongUsage || error instanceof SettingsFaulty;
  if (
    foreseen ||
    error instanceof StoreUnavailable ||
    error instanceof CatalogueFaulty ||
    error.name === 'CannotListen'
  )
    return error.message;
  return error.stack ?? error.message;
}
