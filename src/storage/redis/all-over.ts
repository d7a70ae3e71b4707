/**
 * Waits until all are over, then throws the first fault: a count that is still being written when the unit's locks are
 * gone would overwrite what another one counts.
 */
export async function allOver(writes: readonly (Promise<unknown> | undefined)[]): Promise<void> {
  const fault = (await Promise.allSettled(writes)).find(({ status }) => status === 'rejected');
  if (fault !== undefined) throw (fault as PromiseRejectedResult).reason;
}
