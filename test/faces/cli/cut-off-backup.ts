import { registerHooks } from 'node:module';
import { backup as copied } from 'node:sqlite';

/**
 * Loaded into a command first. It replaces SQLite's backup: once some pages are copied and more are to come, the
 * process sends itself the signal in `CUT_OFF_BY`, however fast the machine is.
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
    specifier === 'node:sqlite' && context.parentURL?.endsWith('/engines/sqlite/backup.ts')
      ? next(import.meta.url, context)
      : next(specifier, context),
});
