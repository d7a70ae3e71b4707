/** How the service names itself in its answers. */
export interface ServerIdentity {
  readonly edition: string;
  readonly version: string;
  readonly schema: string;
}

/** The release that the specification describes. The number in brackets is its schema. */
export const SPECIFIED_RELEASE = '3.2.0 (2039)';

/** The id that a database has now. That of a restored one also tells earlier ids, and how many users there were (`Users.databaseId`). */
export const presentIdOf = (databaseId: string): string => databaseId.split('~', 1)[0] as string;

/** The number in brackets at the end of a version. */
const buildOf = (version: string) => /\((\d+)\)$/.exec(version)?.[1];

/** Adds the schema: the number in brackets at the end of the version, otherwise that of the specified release. */
export function serverIdentity({ edition, version }: Omit<ServerIdentity, 'schema'>): ServerIdentity {
  return { edition, version, schema: buildOf(version) ?? (buildOf(SPECIFIED_RELEASE) as string) };
}

/** The signature in status documents. */
export function signatureOf({ edition, version }: ServerIdentity): string {
  return `${edition} v${version}`;
}
