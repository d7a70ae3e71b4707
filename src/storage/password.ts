/** A password, or what tells the one that holds now. */
export type Password = string | (() => string);

/** The password for a connection that is made now. */
export function passwordNow(password: Password): string {
  return typeof password === 'function' ? password() : password;
}
