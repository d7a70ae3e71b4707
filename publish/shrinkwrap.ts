/** One package of a lock, as npm writes it (package-lock.json, version 3). */
export interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  /** Given for a package that is installed on some platforms only. */
  readonly os?: readonly string[];
}

export interface Lock {
  readonly name: string;
  readonly version: string;
  readonly lockfileVersion: number;
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

/** The manifest of the published package. */
export type Manifest = Readonly<Record<string, unknown>>;

const ofNode = (path: string) => /^node_modules\/node-linux-\w+$/.test(path);

/**
 * The lock of the published package (npm-shrinkwrap.json): every package that a server needs, with the version and the hash that
 * the tests ran with. Packages for development, and the Node of a checkout, are left out.
 */
export function shrinkwrapOf({ packages, ...lock }: Lock, manifest: Manifest): Lock {
  const needed = Object.entries(packages).filter(
    ([path, { dev }]) => path !== '' && dev !== true && !ofNode(path),
  );
  const { name, version, license, bin, dependencies } = manifest;
  const root = { name, version, license, bin, dependencies } as LockedPackage;
  return { ...lock, packages: { '': root, ...Object.fromEntries(needed) } };
}
