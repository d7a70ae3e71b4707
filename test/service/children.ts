import { readFileSync } from 'node:fs';

/** The processes that this one started and that run, in the order in which they began. */
export function childrenOf({ pid }: { readonly pid?: number | undefined }): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
}
