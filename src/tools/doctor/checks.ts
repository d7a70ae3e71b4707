import type { DoctorCheck } from '../../faces/cli/doctor-check.ts';
import { backupsCheck } from './backups.ts';
import { brandCheck } from './brand.ts';
import { certificateCheck } from './certificate.ts';
import { clockCheck } from './clock.ts';
import { dataFolderCheck } from './data-folder.ts';
import { documentsCheck } from './documents.ts';
import { hashesCheck } from './hashes.ts';
import { keyFilesCheck } from './key-files.ts';
import { proxyCheck } from './proxy.ts';
import { settingsCheck } from './settings.ts';
import { databaseCheck, durabilityCheck, storeCheck, versionsCheck } from './store.ts';
import { usersCheck } from './users.ts';

export { proxyCheck, storeCheck };

/** The checks in the order in which they are made, before those of the capabilities; last comes {@link proxyCheck}. */
export const CHECKS: readonly DoctorCheck[] = [
  settingsCheck,
  documentsCheck,
  dataFolderCheck,
  keyFilesCheck,
  certificateCheck,
  storeCheck,
  databaseCheck,
  versionsCheck,
  durabilityCheck,
  clockCheck,
  usersCheck,
  hashesCheck,
  backupsCheck,
  brandCheck,
];
