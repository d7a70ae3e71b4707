import { userInfo } from 'node:os';
import { type ChangeEvent, COMMAND_LINE } from '../../core/domain/event.ts';
import type { Change } from '../../core/domain/outcome.ts';
import { isRefusal, type Refusal } from '../../core/domain/refusal.ts';
import type { WriteUnit } from '../../core/storage/store.ts';
import { CommandRefused } from './failure.ts';

let key: string | undefined;

/** The name of the system user who runs this process; `uid` and its number if the system has no name for it. */
export function systemUser(): string {
  // The system reads a file for each question, and a command may write thousands of events.
  key ??= askSystem();
  return key;
}

function askSystem(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Records an event of the command line in the transaction of the change: who did what, to whom or to what. */
export function record(unit: WriteUnit, at: number, event: ChangeEvent): Promise<void> {
  return unit.events.append({ at, from: COMMAND_LINE, actor: systemUser(), ...event });
}

/**
 * Records the events of a change that a rule made, in the transaction of the change. Throws {@link CommandRefused} with the
 * rule's sentence if the rule forbade it.
 */
export async function recorded<T extends Change>(
  unit: WriteUnit,
  at: number,
  outcome: T | Refusal,
): Promise<T> {
  if (isRefusal(outcome)) throw new CommandRefused(`Refused: ${outcome.detail}.`);
  for (const event of outcome.events) await record(unit, at, event);
  return outcome;
}
