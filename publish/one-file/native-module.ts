import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { getAsset } from 'node:sea';

/**
 * Loads machine code that the one file brings, which the system only takes from a file: from a new folder that no other user can open,
 * and that is removed as soon as the code is loaded. Throws unless the code on disk has this SHA-256.
 */
export function nativeModule(name: string, digest: string): unknown {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-'));
  const file = join(folder, basename(name));
  const loaded = { exports: {} };
  try {
    writeFileSync(file, Buffer.from(getAsset(name)), { mode: 0o500, flag: 'wx' });
    if (createHash('sha256').update(readFileSync(file)).digest('hex') !== digest)
      throw new Error('it is not the code that this program was built with');
    process.dlopen(loaded, file);
  } catch (cause) {
    const where = 'name a folder in TMPDIR, on a disk that may run programs';
    // Said here, since the package that needs the code hides why it has none.
    process.stderr.write(`${basename(name)} cannot be loaded from ${tmpdir()}: ${where}\n`);
    throw cause;
  } finally {
    rmSync(folder, { recursive: true });
  }
  return loaded.exports;
}
