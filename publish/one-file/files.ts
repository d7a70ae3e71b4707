import * as fs from 'node:fs';
import { getAsset, getAssetKeys } from 'node:sea';
import { fileURLToPath } from 'node:url';

export * from 'node:fs';

/** Where the one file finds the files that it brings. No machine has a path like this, since the program is no folder. */
export const WITHIN = '/proc/self/exe/';

/** The name of a file or folder that the one file brings; undefined for a path of the machine. */
function broughtAs(place: unknown): string | undefined {
  const path = place instanceof URL ? fileURLToPath(place) : place;
  return typeof path === 'string' && path.startsWith(WITHIN) ? path.slice(WITHIN.length) : undefined;
}

/** As Node's, and reads the files that the one file brings. */
export const readFileSync = ((place: fs.PathOrFileDescriptor, encoding: BufferEncoding | null = null) => {
  const name = broughtAs(place);
  if (name === undefined) return fs.readFileSync(place, { encoding });
  const content = Buffer.from(getAsset(name));
  return encoding === null ? content : content.toString(encoding);
}) as typeof fs.readFileSync;

/** As Node's, and lists the folders that the one file brings. */
export const readdirSync = ((place: fs.PathLike, options?: BufferEncoding) => {
  const name = broughtAs(place);
  if (name === undefined) return fs.readdirSync(place, options);
  return getAssetKeys()
    .filter((key) => key.startsWith(name))
    .map((key) => key.slice(name.length));
}) as typeof fs.readdirSync;
