/** A value that is there at once, or comes: what is known need not be waited for, at each step on the way of a request. */
export type Soon<T> = T | Promise<T>;

/** What `use` makes of the value: at once where it is there. */
export function andThen<T, R>(soon: Soon<T>, use: (value: T) => Soon<R>): Soon<R> {
  return soon instanceof Promise ? soon.then(use) : use(soon);
}

/** All of them: at once where each is there. */
export function allOf<T>(soon: readonly Soon<T>[]): Soon<readonly T[]> {
  const isAnyAwaited = soon.some((one) => one instanceof Promise);
  return isAnyAwaited ? Promise.all(soon) : (soon as readonly T[]);
}
