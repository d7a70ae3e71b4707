import { hash } from 'node:crypto';
import type { Words } from './connection.ts';

/** Makes the words of a call; the keys lie in one slot. */
export type Script = (keys: readonly (string | Buffer)[], ...values: readonly (string | Buffer)[]) => Words;

const BY_TEXT: Readonly<Record<string, string>> = { EVALSHA: 'EVAL', EVALSHA_RO: 'EVAL_RO' };
const known = new Map<string, string>();

/** Makes a script of its Lua text. One that only `reads` is let through where writes are not. */
export function script(text: string, does: 'reads' | 'writes' = 'writes'): Script {
  const digest = hash('sha1', text);
  known.set(digest, text);
  const verb = does === 'reads' ? 'EVALSHA_RO' : 'EVALSHA';
  return (keys, ...values) => [verb, digest, String(keys.length), ...keys, ...values];
}

/** The call with its script's text in place of the digest, for a server that does not have it yet. */
export function withText([verb, digest, ...rest]: Words): Words {
  return [BY_TEXT[String(verb)] as string, known.get(String(digest)) as string, ...rest];
}
