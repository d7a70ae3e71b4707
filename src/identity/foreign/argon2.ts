import { parseOptions } from '@node-rs/argon2';
import { bounded, digestOf, fromBase64, HashUnreadable, type ImportedHash } from './foreign-hash.ts';
import type { VARIANTS } from './step.ts';

const SHAPE =
  /^\$argon2(id|i|d)\$(?:v=(\d+)\$)?m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]{11,})\$([A-Za-z0-9+/]{6,})$/;

/** Whether the package that verifies it can read the string. */
function isReadable(text: string): boolean {
  try {
    parseOptions(text);
    return true;
  } catch {
    return false;
  }
}

/** Reads argon2 PHC strings. One of argon2id, version 19, is kept as it is. */
export function readArgon2(text: string): ImportedHash {
  const [, variant, version = '16', memory, passes, lanes, salt = '', encoded = ''] = SHAPE.exec(text) ?? [];
  if (variant === undefined || !['16', '19'].includes(version) || !isReadable(text))
    throw new HashUnreadable(
      'has an argon2 hash of another form than $argon2id$v=19$m=…,t=…,p=…$SALT$HASH: export it as a PHC string, without keyid and data',
    );
  const cost = {
    memory: bounded(memory, 8, 1_048_576, 'argon2 memory (KiB)'),
    passes: bounded(passes, 1, 100, 'number of argon2 passes'),
    lanes: bounded(lanes, 1, 64, 'number of argon2 lanes'),
  };
  const { length, digest } = digestOf(fromBase64(encoded));
  if (variant === 'id' && version === '19') return { argon2id: text };
  const made = { variant: variant as keyof typeof VARIANTS, version: version === '19' ? 19 : 16 } as const;
  const bytes = { length, salt: fromBase64(salt).toString('base64') };
  return { steps: [{ kind: 'argon2', ...made, ...cost, ...bytes }], digest };
}
