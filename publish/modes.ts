import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Gives each file below a folder the same mode under every umask, so that two builds are equal to the byte. */
export function setModes(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const path = join(folder, entry.name);
    const runs = entry.isDirectory() || (statSync(path).mode & 0o100) !== 0;
    chmodSync(path, runs ? 0o755 : 0o644);
    if (entry.isDirectory()) setModes(path);
  }
}
