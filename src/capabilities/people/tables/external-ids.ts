/** What has an external id. */
export type Provisioned = 'user' | 'group';

/** The ids that another system gave to users and groups which it provisions: `externalId` of SCIM (RFC 7643 section 3.1). */
export interface ExternalIdsRead {
  /** The users or groups with this external id, by ascending ids. Case counts. */
  find(kind: Provisioned, externalId: string): Promise<number[]>;
  /** The external ids of these users or groups, of up to 1,000. One without an external id is missing. */
  of(kind: Provisioned, ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
}

/** In a write unit `find` locks the set of users or of groups. A removal takes the external id along with its user or group. */
export interface ExternalIds extends ExternalIdsRead {
  /** Gives a user or a group this external id; takes its external id away if it is undefined. */
  put(kind: Provisioned, id: number, externalId: string | undefined): Promise<void>;
}
