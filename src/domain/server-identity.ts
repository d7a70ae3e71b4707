/** What the service calls itself in its answers. */
export interface ServerIdentity {
  readonly edition: string;
  readonly version: string;
  readonly schema: string;
}

/** The release that the specification describes; its build is the number of its schema. */
export const SPECIFIED_RELEASE = '3.2.0 (2039)';

/** The number in brackets at the end of a version. */
const buildOf = (version: string) => /\((\d+)\)$/.exec(version)?.[1];

/** The identity with the schema that belongs to the version: its build where that is a number, else the specification's. */
export function serverIdentity({ edition, version }: Omit<ServerIdentity, 'schema'>): ServerIdentity {
  return { edition, version, schema: buildOf(version) ?? (buildOf(SPECIFIED_RELEASE) as string) };
}

/** How the service signs status documents. */
export function signatureOf({ edition, version }: ServerIdentity): string {
  return `${edition} v${version}`;
}
