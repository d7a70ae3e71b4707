type Manifest = Readonly<Record<string, unknown>>;

/**
 * The `package.json` of the published package: that of the checkout without scripts, development packages and the Node of the
 * checkout, which npm would otherwise run in place of the user's Node.
 */
export function manifestOf(checkout: Manifest): Manifest {
  const { scripts, devDependencies, optionalDependencies, ...rest } = checkout;
  return rest;
}
