/** A value, or a promise of it. A request whose data is in memory never waits for a promise. */
export type MaybePromise<T> = T | Promise<T>;

/** Calls `use` with the value: at once if it is no promise, otherwise once the promise is fulfilled. */
export function chain<T, R>(value: MaybePromise<T>, use: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(use) : use(value);
}

/** All values: at once if none is a promise. */
export function allOf<T>(values: readonly MaybePromise<T>[]): MaybePromise<readonly T[]> {
  const isAnyAwaited = values.some((one) => one instanceof Promise);
  return isAnyAwaited ? Promise.all(values) : (values as readonly T[]);
}
