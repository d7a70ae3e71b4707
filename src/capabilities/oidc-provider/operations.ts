import type { AnyOperation } from '../../core/operation.ts';
import applicationDelete from './operations/admin/application.delete.ts';
import applicationGet from './operations/admin/application.get.ts';
import applicationPut from './operations/admin/application.put.ts';
import secretPost from './operations/admin/applications/secret.post.ts';
import applicationsGet from './operations/admin/applications.get.ts';
import signingKeysGet from './operations/admin/signingkeys.get.ts';
import signingKeysPost from './operations/admin/signingkeys.post.ts';

export const OPERATIONS: readonly AnyOperation[] = [
  applicationsGet,
  applicationGet,
  applicationPut,
  applicationDelete,
  secretPost,
  signingKeysGet,
  signingKeysPost,
];
