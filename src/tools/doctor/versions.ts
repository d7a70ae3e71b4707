import { type DoctorCheck, fault, ok } from '../../faces/cli/doctor-check.ts';

/** The oldest Node that the service runs on. */
const NODE = { major: 24, minor: 2 };

/** The versions of what the service runs on. A database or a Redis that is too old is refused when it is opened. */
export const versionsCheck: DoctorCheck = {
  name: 'versions',
  page: 'README.md',
  async look({ settings, store }) {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
    const isOld = major < NODE.major || (major === NODE.major && minor < NODE.minor);
    const node = isOld
      ? fault(
          `Node ${process.versions.node} is older than ${NODE.major}.${NODE.minor}`,
          'install a newer Node',
        )
      : ok(`Node ${process.versions.node}`);
    if (settings.database === undefined && settings.tickets === undefined)
      return [node, ok(`SQLite ${process.versions.sqlite}`)];
    const report = await store().then(
      (opened) => opened.report?.(),
      () => undefined,
    );
    return [node, ...(report?.servers ?? []).map(ok)];
  },
};
