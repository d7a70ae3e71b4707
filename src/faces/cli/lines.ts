import { isUtf8 } from 'node:buffer';

/** A readable line, and its number in the file, from 1. */
export interface TextLine {
  readonly number: number;
  readonly text: string;
}

/** A line of the file: its text, or why it cannot be read. */
export type ImportLine = TextLine | { readonly number: number; readonly fault: string };

const LINE_FEED = 0x0a;
const NOTHING = Buffer.alloc(0);
/** Most bytes of a line. A node needs less, even if all of it is escaped. */
const LONGEST = 65_536;
const BYTE_ORDER_MARK = '\ufeff';

function lineOf(number: number, bytes: Buffer): ImportLine {
  if (bytes.length > LONGEST) return { number, fault: `is longer than ${LONGEST} bytes` };
  if (!isUtf8(bytes)) return { number, fault: 'is not UTF-8' };
  const text = bytes.toString();
  return { number, text: number === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text };
}

/**
 * The lines of a stream. Only a line feed ends a line: names may hold any other separator. `onBytes` gets the number of
 * bytes that are read.
 */
export async function* linesOf(
  input: AsyncIterable<Buffer>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<ImportLine> {
  let number = 0;
  let bytes = 0;
  let begun = NOTHING;
  for await (const chunk of input) {
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      number += 1;
      yield lineOf(number, Buffer.concat([begun, chunk.subarray(from, at)]));
      begun = NOTHING;
      from = at + 1;
    }
    // Keeps no more than this of a line that is too long.
    begun = Buffer.concat([begun, chunk.subarray(from)]).subarray(0, LONGEST + 1);
    bytes += chunk.length;
    onBytes(bytes);
  }
  if (begun.length > 0) yield lineOf(number + 1, begun);
}
