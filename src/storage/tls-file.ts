import { readFileSync } from 'node:fs';
import { StoreUnavailable } from './store.ts';

/** The file that the parameter `name` of a store's URL names for TLS. The fault of one that cannot be read names both. */
export function tlsFile(name: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new StoreUnavailable(`${name}: the file ${path} cannot be read`, { cause: error });
  }
}
