import { parse } from 'lossless-json';

/** Thrown for a member that is given twice, with different values. */
export class MemberTwice extends Error {}

/** Reads JSON as `JSON.parse` does, which of a member that is given twice takes the last silently. Throws {@link MemberTwice}. */
export function strictJson(text: string, revive?: (key: string, member: unknown) => unknown): unknown {
  try {
    return parse(text, revive, Number);
  } catch (fault) {
    // The library tells its faults apart by their messages alone.
    const twice = fault instanceof Error && fault.message.startsWith('Duplicate key');
    throw twice ? new MemberTwice() : fault;
  }
}
