type Manifest = Readonly<Record<string, unknown>>;

/**
 * The checkout's `package.json` as the package has it: without what a checkout alone is worked on with, and without the
 * Node that a checkout brings, which npm would put in the place of the Node of whoever installs the package.
 */
export function manifestOf(checkout: Manifest): Manifest {
  const { scripts, devDependencies, optionalDependencies, ...rest } = checkout;
  return rest;
}
