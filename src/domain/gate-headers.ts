/** What the gate tells of a user in headers besides the user name. */
export type UserDetail = 'groups' | 'email' | 'name';

/** What the gate tells of a user. */
export interface ToldOfUser {
  /** The header in which it also gives the user name as it is; undefined for none. */
  readonly userHeader?: string;
  readonly details: readonly UserDetail[];
}
