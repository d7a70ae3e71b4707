import { hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';

/** Bytes of the longest line: 40 digits, a colon, a count and the end of a line. */
const LONGEST_LINE = 64;
/** A SHA-1 in hex, or no less than its first 16 digits, perhaps with a count behind it. */
const HASH = /^([0-9A-F]{16,40})(?::\d+)?$/i;
/** Lines that are looked at before the file is trusted. */
const SAMPLES = 32;

const FILE_FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file: name one, or leave the setting out',
  EISDIR: 'it is a folder: name one file with all hashes',
  EACCES: 'it may not be read: let the user read it that the service and the commands run as',
};

/** The file cannot be used, with what is wrong and the mend. */
class BreachedFileUnusable extends Error {}

const NOT_SORTED = 'it is not sorted by hash: sort it, such as with LC_ALL=C sort';

interface HashLine {
  /** Where it begins, and where the one behind it does. */
  readonly start: number;
  readonly next: number;
  /** Upper-case hex digits. */
  readonly digits: string;
}

/** The line that the byte at `offset` is in. */
async function lineAt(file: FileHandle, size: number, offset: number): Promise<HashLine> {
  const from = Math.max(0, offset - LONGEST_LINE);
  const window = Buffer.alloc(Math.min(size, offset + LONGEST_LINE) - from);
  const { bytesRead } = await file.read(window, 0, window.length, from);
  const text = window.toString('latin1', 0, bytesRead);
  const begin = text.lastIndexOf('\n', offset - from - 1) + 1;
  const end = text.indexOf('\n', offset - from);
  const digits = HASH.exec(text.slice(begin, end < 0 ? undefined : end).replace(/\r$/, ''))?.[1];
  if (digits === undefined)
    throw new BreachedFileUnusable(
      `the line at byte ${from + begin} is no SHA-1 in hex, alone or with a colon and a count: name a file of such lines`,
    );
  return { start: from + begin, next: end < 0 ? size : from + end + 1, digits: digits.toUpperCase() };
}

/** Whether the file has this SHA-1, in upper-case hex. It is read in some 40 places, however large it is. */
async function holds(file: FileHandle, size: number, sha1: string): Promise<boolean> {
  let [low, high] = [0, size];
  let [before, behind] = ['', 'Z'];
  while (low < high) {
    const { start, next, digits } = await lineAt(file, size, Math.floor((low + high) / 2));
    if (digits < before || digits > behind) throw new BreachedFileUnusable(NOT_SORTED);
    const wanted = sha1.slice(0, digits.length);
    if (digits === wanted) return true;
    if (digits < wanted) [low, before] = [next, digits];
    else [high, behind] = [start, digits];
  }
  return false;
}

/** Throws where lines from all over the file are none of such a file, or are not sorted. */
async function check(file: FileHandle, size: number): Promise<void> {
  let before = '';
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const { digits } = await lineAt(file, size, Math.floor(((size - 1) * sample) / (SAMPLES - 1)));
    if (digits < before) throw new BreachedFileUnusable(NOT_SORTED);
    before = digits;
  }
}

async function within<T>(path: string, work: (file: FileHandle, size: number) => Promise<T>): Promise<T> {
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    if (size === 0)
      throw new BreachedFileUnusable('it is empty: name a file of hashes, or leave the setting out');
    return await work(file, size);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new BreachedFileUnusable(FILE_FAULTS[code] ?? message, { cause: error });
  }
}

/** What is wrong with a file of breached passwords, with the mend; nothing where lines from all over it are fine. */
export async function faultOfBreachedFile(path: string): Promise<string | undefined> {
  try {
    await within(path, check);
    return undefined;
  } catch (error) {
    return `${path}: ${(error as Error).message}`;
  }
}

/**
 * Why a password is refused by a file of breached ones: it is among them, or the file cannot tell. The file holds SHA-1
 * hashes in hex, one a line and sorted, each alone or with a colon and a count.
 */
export async function faultOfBreach(path: string, password: string): Promise<string | undefined> {
  const spellings = new Set([password, password.normalize('NFC')]);
  try {
    for (const spelling of spellings) {
      const sha1 = hash('sha1', spelling, 'hex').toUpperCase();
      if (await within(path, (file, size) => holds(file, size, sha1)))
        return 'the password was breached somewhere, so it is tried early by everyone who guesses: choose another';
    }
    return undefined;
  } catch (error) {
    return `whether the password was breached cannot be looked up in ${path}: ${(error as Error).message}`;
  }
}
