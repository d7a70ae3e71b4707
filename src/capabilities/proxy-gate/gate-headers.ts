/** A detail of the user that the gate sends in a header of its own. */
export type UserDetail = 'groups' | 'email' | 'name';

/** The headers about the user that the gate sends besides `X-Tessera-User`. */
export interface GateHeaders {
  /** The header in which it sends the user name without encoding; undefined for none. */
  readonly userHeader?: string;
  readonly details: readonly UserDetail[];
}
