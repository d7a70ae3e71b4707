import { tokensOf } from '../documents/pointers.ts';
import type { Capture } from './document.ts';
import type { Heard } from './wire.ts';

function atPointer(value: unknown, pointer: string): unknown {
  return tokensOf(pointer).reduce<unknown>(
    (inner, part) =>
      typeof inner === 'object' && inner !== null
        ? (inner as Readonly<Record<string, unknown>>)[part]
        : undefined,
    value,
  );
}

/** What an answer gives for a variable; nothing where it is not there. */
export function captured(capture: Capture, { text, headers }: Heard): string | undefined {
  if ('header' in capture) return headers[capture.header]?.toString();
  if ('pattern' in capture) return new RegExp(capture.pattern, 'u').exec(text)?.[1];
  try {
    const value = atPointer(JSON.parse(text), capture.pointer);
    return value === undefined ? undefined : String(value);
  } catch {
    return undefined;
  }
}
