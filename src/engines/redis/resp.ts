/** The words of a command. */
export type Words = readonly (string | Buffer)[];

/** The answer of a server. Bulk strings are text, or bytes if the caller asked for bytes. */
export type RedisReply = string | number | Buffer | null | ErrorReply | RedisReply[];

/** An error as a server answers it: its code, a space and a sentence. */
export class ErrorReply extends Error {
  override name = 'ErrorReply';
}

/** A command in RESP 2, the protocol of Redis. Each character of the text is one byte. */
export function encoded(words: Words): string {
  let text = `*${words.length}\r\n`;
  for (const word of words) {
    const bytes = typeof word === 'string' ? utf8(word) : word.toString('latin1');
    text += `$${bytes.length}\r\n${bytes}\r\n`;
  }
  return text;
}

/** The bytes of a text, each as one character. */
function utf8(text: string): string {
  const isAscii = Buffer.byteLength(text) === text.length;
  return isAscii ? text : Buffer.from(text).toString('latin1');
}

/** The result for an element whose bytes have not all come. */
const INCOMPLETE = Symbol('incomplete');

/** An array whose elements have not all come. */
interface OpenArray {
  readonly items: RedisReply[];
  readonly length: number;
  /** Whether the server sends it by itself: it answers no command. */
  readonly isPush: boolean;
}

const [CR, MINUS, ZERO] = [13, 45, 48];
const [SIMPLE, ERROR, INTEGER, BULK, ARRAY] = [43, 45, 58, 36, 42];
/** What RESP 3 has for a missing value, for pairs, and for what no command asked for. */
const [NULL, MAP, PUSH] = [95, 37, 62];

/** Reads replies from the bytes of a connection, wherever they are cut: in RESP 2, and what RESP 3 has beside it for the commands that we send. */
export class ReplyReader {
  readonly #onReply: (reply: RedisReply) => void;
  /** Called with what the server sends by itself. Its bulk strings are bytes. */
  readonly #onPush: (items: readonly RedisReply[]) => void;
  readonly #wantsBytes: () => boolean;
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  readonly #open: OpenArray[] = [];

  /** `wantsBytes` says of the reply that is read whether its bulk strings become bytes. */
  constructor(
    onReply: (reply: RedisReply) => void,
    wantsBytes: () => boolean,
    onPush: (items: readonly RedisReply[]) => void,
  ) {
    this.#onReply = onReply;
    this.#onPush = onPush;
    this.#wantsBytes = wantsBytes;
  }

  /** Takes the next bytes, and passes each reply on that they complete. Throws if they are none. */
  take(chunk: Buffer): void {
    const rest = this.#bytes.subarray(this.#at);
    this.#bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    this.#at = 0;
    for (;;) {
      const start = this.#at;
      const element = this.#element();
      if (element === INCOMPLETE) {
        this.#at = start;
        return;
      }
      if (element !== undefined) this.#place(element);
    }
  }

  /** Puts an element into the innermost open array, and closes each array that is complete then. */
  #place(element: RedisReply): void {
    let done = element;
    for (let inner = this.#open.at(-1); inner !== undefined; inner = this.#open.at(-1)) {
      inner.items.push(done);
      if (inner.items.length < inner.length) return;
      this.#open.pop();
      if (inner.isPush) {
        this.#onPush(inner.items);
        return;
      }
      done = inner.items;
    }
    this.#onReply(done);
  }

  /** Reads an element. Undefined for the beginning of an array, whose elements follow. */
  #element(): RedisReply | typeof INCOMPLETE | undefined {
    const type = this.#bytes[this.#at];
    const start = this.#at + 1;
    const end = this.#endOfLine(start);
    if (end === undefined) return INCOMPLETE;
    switch (type) {
      case SIMPLE:
        return this.#bytes.toString('utf8', start, end);
      case ERROR:
        return new ErrorReply(this.#bytes.toString('utf8', start, end));
      case INTEGER:
        return this.#number(start, end);
      case BULK:
        return this.#bulk(this.#number(start, end));
      case ARRAY:
        return this.#array(this.#number(start, end));
      case MAP:
        return this.#array(2 * this.#number(start, end));
      case PUSH:
        return this.#array(this.#number(start, end), true);
      case NULL:
        return null;
      default:
        throw new Error('it does not speak the protocol of Redis');
    }
  }

  /** The place of the line's end, after which reading goes on. Undefined if it has not come. */
  #endOfLine(start: number): number | undefined {
    const bytes = this.#bytes;
    let end = start;
    while (end < bytes.length && bytes[end] !== CR) end += 1;
    if (end + 1 >= bytes.length) return undefined;
    this.#at = end + 2;
    return end;
  }

  #number(start: number, end: number): number {
    const isNegative = this.#bytes[start] === MINUS;
    let number = 0;
    for (let at = isNegative ? start + 1 : start; at < end; at += 1)
      number = number * 10 + (this.#bytes[at] as number) - ZERO;
    return isNegative ? -number : number;
  }

  #bulk(length: number): RedisReply | typeof INCOMPLETE {
    if (length < 0) return null;
    const [start, end] = [this.#at, this.#at + length];
    if (this.#bytes.length < end + 2) return INCOMPLETE;
    this.#at = end + 2;
    return this.#open[0]?.isPush || this.#wantsBytes()
      ? Buffer.from(this.#bytes.subarray(start, end))
      : this.#bytes.toString('utf8', start, end);
  }

  #array(length: number, isPush = false): RedisReply | undefined {
    if (length < 0) return null;
    if (length === 0) return [];
    this.#open.push({ items: [], length, isPush });
    return undefined;
  }
}
