import type { AnyOperation } from '../../core/operation.ts';
import adminInvitationsPost from './operations/admin/invitations.post.ts';
import adminMailRetryPost from './operations/admin/mail/retry.post.ts';
import adminMailTestPost from './operations/admin/mail/test.post.ts';
import adminMailGet from './operations/admin/mail.get.ts';
import v1RequestpasswordresetPost from './operations/v1/requestpasswordreset.post.ts';
import v1ResetpasswordPost from './operations/v1/resetpassword.post.ts';

export const OPERATIONS: readonly AnyOperation[] = [
  adminInvitationsPost,
  adminMailGet,
  adminMailRetryPost,
  adminMailTestPost,
  v1RequestpasswordresetPost,
  v1ResetpasswordPost,
];
