import { parse } from 'lossless-json';

/** Thrown for a member that is given twice with different values. */
export class MemberTwice extends Error {}

/**
 * Parses JSON like `JSON.parse`, but throws {@link MemberTwice} for a repeated member, of which `JSON.parse` silently
 * takes the last.
 */
export function strictJson(text: string, revive?: (key: string, member: unknown) => unknown): unknown {
  try {
    return parse(text, revive, Number);
  } catch (fault) {
    // The library's errors differ only by their messages.
    const twice = fault instanceof Error && fault.message.startsWith('Duplicate key');
    throw twice ? new MemberTwice() : fault;
  }
}
