import { registerHooks } from 'node:module';
import { backup as copied } from 'node:sqlite';

/**
 * Loaded into a command before all else, in place of SQLite's own backup: the process tells itself the signal that
 * `CUT_OFF_BY` names once some pages are copied and more are to come, however fast the machine is.
 */
export const backup: typeof copied = (db, file, options = {}) => {
  let told = false;
  return copied(db, file, {
    ...options,
    progress(share) {
      if (!told && share.remainingPages > 0) process.kill(process.pid, process.env.CUT_OFF_BY);
      told = true;
      options.progress?.(share);
    },
  });
};

export { DatabaseSync } from 'node:sqlite';

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'node:sqlite' && context.parentURL?.endsWith('/storage/sqlite/backup.ts')
      ? next(import.meta.url, context)
      : next(specifier, context),
});
